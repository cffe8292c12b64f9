// The limits of a reporting entity that are broken now, as the overviews show them: each in a line, with the way to all limits.

import { allInOrder } from '../../../../kit/concurrency/all-in-order.ts';
import { emptyHtml, html, type Html } from '../../../../kit/html.ts';
import { stateDot } from '../../parts/notes.ts';
import type { EntityView } from '../entity-view.ts';
import { limitValue } from './limit-words.ts';
import { limitsTexts } from './limits-texts.ts';

interface BrokenLimit {
  readonly name: string;
  readonly breach: any;
  /** That of its amounts, whatever currency the page is shown in. */
  readonly currency: string | undefined;
}

/** Undefined where they are not to be shown. */
export type BrokenLimits = readonly BrokenLimit[] | undefined;

const shownMax = 5;

/** What was known at another moment says nothing about today's breaches, and only advisors see limits. */
export async function readBrokenLimits(view: EntityView): Promise<BrokenLimits> {
  if (!view.hasRole('advisor') || view.knownAt !== undefined) return undefined;
  const { api } = view.page;
  const query = { reporting_entity_id: view.entityId, state: 'open', limit: String(shownMax) };
  const { data } = await api.get('/v1/limit-breaches', query);
  if (data.length === 0) return [];
  const [held, ...limits] = await allInOrder([
    api.find('/v1/holdings', { ...view.entityQuery, limit: '1' }),
    ...data.map(({ limit_id }: any) => api.find(`/v1/limits/${limit_id}`)),
  ]);
  return data.map((breach: any, index: number) => ({
    name: limits[index]?.name ?? limitsTexts[view.page.reader.language].deletedLimit,
    breach,
    currency: held?.currency,
  }));
}

/** Nothing where none is broken. */
export function brokenLimitsList(view: EntityView, broken: readonly BrokenLimit[]): Html {
  if (broken.length === 0) return emptyHtml;
  const { formats, reader, timeZone } = view.page;
  const text = limitsTexts[reader.language];
  const items = broken.map(({ name, breach, currency }) => {
    const unit = { kind: breach.kind, currency };
    const bound = limitValue(formats, unit, breach.bound_value);
    const allowed = breach.bound === 'max' ? text.atMost(bound) : text.atLeast(bound);
    const said = text.brokenSince(
      limitValue(formats, unit, breach.current_value),
      allowed,
      formats.datetime(breach.since, timeZone),
    );
    return html`<li>
      ${stateDot(text.brokenLimit, 'down')}<br />
      <a href="${view.href('/limits')}">${name}</a>
      <small class="soft">${said}</small>
    </li>`;
  });
  return html`<ul class="looks">
    ${items}
  </ul>`;
}
