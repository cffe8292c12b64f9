// What a what-if would do: every limit before and after, per reporting entity, those that would change first.

import { emptyHtml, html, type Html } from '../../../../kit/html.ts';
import { definitionList, note } from '../../parts/notes.ts';
import { tableCard } from '../../parts/parts.ts';
import type { Page } from '../../signed-in-page.ts';
import type { Table } from '../../tables/table.ts';
import { consoleTable } from '../console-table.ts';
import type { LimitKind } from './bounds-fields.ts';
import { limitsPath } from './limit-names.ts';
import { figureText, headroomText, limitBar, ruleText, stateHtml, stateTitle, type LimitUnit } from './limit-status.ts';

const cardsMax = 40;

interface ResultView {
  /** The client's limits. */
  readonly limits: readonly any[];
  readonly currency: string;
  readonly entityName: (id: string | null) => string;
}

/** One limit at one reporting entity. */
interface Outcome {
  readonly limit: any;
  readonly kind: LimitKind;
  readonly checked: any;
}

export interface WhatIfResult {
  readonly main: Html;
  readonly tables: readonly Table[];
}

export function whatIfResult(page: Page, answer: any, view: ResultView): WhatIfResult {
  const outcomes: readonly Outcome[] = answer.limits
    .flatMap(({ limit_id: id, kind, reporting_entities: entities }: any) =>
      entities.map((checked: any) => ({
        limit: view.limits.find((one) => one.id === id) ?? { id, name: id },
        kind,
        checked,
      })),
    )
    .toSorted((one: Outcome, other: Outcome) => rankOf(one) - rankOf(other));
  if (outcomes.length === 0) return { main: note('No limit applies here yet.'), tables: [] };
  const table = resultTable(page, outcomes, view);
  const cut =
    outcomes.length > cardsMax ? note(`Only the first ${cardsMax} are drawn; the table has all of them.`) : emptyHtml;
  return {
    main: html`${summaryNote(outcomes)}${outcomes.slice(0, cardsMax).map((one) => outcomeCard(page, one, view))}${cut}
    ${tableCard(consoleTable(page, table))}`,
    tables: [table],
  };
}

const states: readonly string[] = ['compliant', 'not_evaluable', 'breached'];

/** Newly broken, then mended, then those that stay broken, then the rest. */
function rankOf({ checked: { present, resulting } }: Outcome): number {
  const [before, after] = [states.indexOf(present.state), states.indexOf(resulting.state)];
  if (after > before) return 0;
  if (after < before) return 1;
  return after === 0 ? 3 : 2;
}

function summaryNote(outcomes: readonly Outcome[]): Html {
  const count = (rank: number): number => outcomes.filter((one) => rankOf(one) === rank).length;
  const [worse, better] = [count(0), count(1)];
  const limits = (number: number): string => (number === 1 ? 'One limit' : `${number} limits`);
  const parts = [
    ...(worse === 0 ? [] : [`${limits(worse)} would be broken or no longer be known.`]),
    ...(better === 0 ? [] : [`${limits(better)} would be mended.`]),
  ];
  const text = parts.length === 0 ? 'No limit would change its state.' : parts.join(' ');
  return note(`${text} Nothing was booked or changed.`, { tone: worse > 0 ? 'warn' : 'good', isLive: true });
}

function unitOf({ kind }: Outcome, { currency }: ResultView): LimitUnit {
  return { kind, currency };
}

function outcomeCard(page: Page, outcome: Outcome, view: ResultView): Html {
  const { limit, checked } = outcome;
  const { present, resulting } = checked;
  const before = { title: 'Before', figures: present, min: checked.min, max: checked.max };
  const after = { title: 'After', figures: resulting, min: checked.resulting_min, max: checked.resulting_max };
  const id = `${limit.id}-${checked.reporting_entity_id}`;
  const sides = [before, after].map((side) => sideHtml(page, outcome, { ...side, id: `${side.title}-${id}`, view }));
  return html`<section class="card">
    <h2><a href="${limitsPath}/${encodeURIComponent(limit.id)}">${limit.name}</a></h2>
    <p class="soft">${view.entityName(checked.reporting_entity_id)}</p>
    <div class="before-after">${sides}</div>
  </section>`;
}

interface Side {
  readonly title: string;
  readonly id: string;
  readonly figures: any;
  readonly min: string | null;
  readonly max: string | null;
  readonly view: ResultView;
}

function sideHtml(page: Page, outcome: Outcome, { title, id, figures, min, max, view }: Side): Html {
  const unit = unitOf(outcome, view);
  const { current_value: value, headroom } = figures;
  return html`<div>
    <h3>${title}</h3>
    <p>${stateHtml(figures)}</p>
    ${value === null ? emptyHtml : limitBar(page, unit, { id, title: ruleText(page, unit, { min, max }), value, min, max, headroom })}
    ${definitionList([
      { title: 'Value', value: figureText(page, unit, value) },
      { title: 'Room', value: headroomText(page, unit, headroom) },
    ])}
  </div>`;
}

function resultTable(page: Page, outcomes: readonly Outcome[], view: ResultView): Table {
  return {
    id: 'what-if',
    caption: 'Every limit before and after',
    columns: [
      { key: 'limit', title: 'Limit', kind: 'text', wide: true },
      { key: 'entity', title: 'Reporting entity', kind: 'text' },
      { key: 'before', title: 'Before', kind: 'text' },
      { key: 'value_before', title: 'Value before', kind: 'quantity' },
      { key: 'room_before', title: 'Room before', kind: 'quantity' },
      { key: 'after', title: 'After', kind: 'text' },
      { key: 'value_after', title: 'Value after', kind: 'quantity' },
      { key: 'room_after', title: 'Room after', kind: 'quantity' },
    ],
    rows: outcomes.map((outcome) => {
      const unit = unitOf(outcome, view);
      const { limit, checked } = outcome;
      const side = ({ state, current_value: value, headroom }: any) => [
        { value: stateTitle(state) },
        { value, text: figureText(page, unit, value) },
        { value: headroom, text: headroomText(page, unit, headroom) },
      ];
      return {
        cells: [
          { value: limit.name, href: `${limitsPath}/${limit.id}` },
          { value: view.entityName(checked.reporting_entity_id) },
          ...side(checked.present),
          ...side(checked.resulting),
        ],
      };
    }),
  };
}
