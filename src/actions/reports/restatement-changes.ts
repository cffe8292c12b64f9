// What has become known between the two moments of a restatement: counts, and page by page each thing. Knows no figure.

import { fromDayNumber, toDayNumber } from '../../kit/calendar-date.ts';
import type { ChangesOfKind, InputKind, ReportedChange } from '../../model/report/restatement.ts';
import type { ChangePlace, ChangesQuery, ChangedInput } from '../../store/report-inputs/input-changes.ts';
import type { Page } from '../core/resource.ts';
import type { Work } from '../core/work.ts';
import type { ReportScope } from './report-basis.ts';
import type { Restatement, RestatementQuestion } from './restatement.ts';

/** Of all that the figures of the client are made of, up to the day: lots follow units from account to account. */
export function changesBetween(
  { before, after, scope, day }: Restatement,
  { from, to }: RestatementQuestion,
): ChangesQuery {
  const scopes = [before, after].flatMap((one) => one ?? []);
  const instruments = new Set(scopes.flatMap((one) => [...one.instruments.keys()]));
  const currencies = new Set(scopes.flatMap(currenciesOf));
  return {
    client: scope.client,
    from,
    to,
    until: fromDayNumber(day),
    instruments: [...instruments].toSorted(),
    currencies: [...currencies].toSorted(),
  };
}

function currenciesOf({ history, currency }: ReportScope): readonly string[] {
  return [currency, ...history.table.positions.keys().map((position) => history.instrument(position).currency)];
}

export interface ListedChange extends ReportedChange {
  /** Where in the list it stands. */
  readonly place: string;
}

/** By moment. */
export async function listChanges(
  { store }: Work,
  query: ChangesQuery,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<Page<ListedChange>> {
  const place = after === undefined ? undefined : (JSON.parse(after) as ChangePlace);
  const found = await store.inputChanges.list(query, { after: place, limit: limit + 1 });
  return { things: found.slice(0, limit).map(changeOf), hasMore: found.length > limit };
}

/** By kind, and within it by what has become of them. */
export async function countChanges({ store }: Work, query: ChangesQuery): Promise<readonly ChangesOfKind[]> {
  const counted = await store.inputChanges.count(query);
  return counted.map((one) => ({ ...one, kind: one.kind as InputKind }));
}

function changeOf({ kind, id, other, change, at, date, instrument, account }: ChangedInput): ListedChange {
  return {
    kind: kind as InputKind,
    id,
    otherId: other,
    change,
    at: Math.trunc(at / 1000),
    date: date === null ? null : toDayNumber(date),
    instrumentId: instrument,
    accountId: account,
    place: JSON.stringify({ at, kind, id, other } satisfies ChangePlace),
  };
}
