// How a limit stands: its state in words, the room that is left, and a bar.

import { html, type Html } from '../../../../kit/html.ts';
import { headroomBar } from '../../charts/headroom-bar.ts';
import { boundsText, limitValue } from '../../portal/limits/limit-words.ts';
import { limitsTexts } from '../../portal/limits/limits-texts.ts';
import { stateDot } from '../../parts/notes.ts';
import type { Page } from '../../signed-in-page.ts';
import type { LimitKind } from './bounds-fields.ts';

/** The console speaks English. */
const text = limitsTexts.en;

export interface LimitUnit {
  readonly kind: LimitKind;
  /** The reference currency of the client. */
  readonly currency: string;
}

const states = {
  compliant: { title: text.compliant, tone: 'up' },
  breached: { title: text.breached, tone: 'down' },
  not_evaluable: { title: text.not_evaluable, tone: 'warn' },
} as const;

export type LimitState = keyof typeof states;

export function isLimitState(name: string): name is LimitState {
  return name in states;
}

export function stateTitle(state: LimitState): string {
  return states[state].title;
}

export function stateHtml({ state, detail }: { readonly state: LimitState; readonly detail: string | null }): Html {
  const { title, tone } = states[state];
  return html`${stateDot(title, tone)}${detail === null ? '' : ` ${detail}`}`;
}

export function figureText({ formats }: Page, unit: LimitUnit, figure: string | null): string {
  return figure === null ? '–' : limitValue(formats, unit, figure);
}

/** "Room left 3.0%" or "Beyond the bound 1.2%". */
export function headroomText(page: Page, unit: LimitUnit, headroom: string | null): string {
  if (headroom === null) return '–';
  const isBeyond = headroom.startsWith('-');
  return isBeyond ? `${figureText(page, unit, headroom.slice(1))} beyond` : `${figureText(page, unit, headroom)} left`;
}

interface Bounds {
  readonly min: string | null;
  readonly max: string | null;
}

export function ruleText({ formats }: Page, unit: LimitUnit, bounds: Bounds): string {
  return boundsText(bounds, { unit, formats, language: 'en' });
}

interface BarInput extends Bounds {
  readonly id: string;
  readonly title: string;
  readonly value: string;
  readonly headroom: string | null;
}

export function limitBar(page: Page, unit: LimitUnit, { id, title, value, min, max, headroom }: BarInput): Html {
  return headroomBar({
    id,
    title,
    description: text.headroomDescription(figureText(page, unit, value), ruleText(page, unit, { min, max })),
    reader: page.reader,
    value,
    min,
    max,
    headroom,
    unit: unit.kind === 'proportional' ? 'percent' : 'money',
    currency: unit.currency,
    words: { value: text.value, min: text.min, max: text.max, headroom: text.headroom },
  }).figure;
}
