// Lists and counts the input changes that became known between the two moments of a restatement.

import { fromDayNumber, toDayNumber } from '../../kit/calendar-date.ts';
import type { InputChangeCount, InputKind, ReportedInputChange } from '../../model/report/restatement.ts';
import type { ChangePosition, ChangesQuery, ChangedInput } from '../../store/report-inputs/input-changes.ts';
import type { ResultPage } from '../core/resource.ts';
import type { Work } from '../core/work.ts';
import type { ReportBasis } from './report-basis.ts';
import type { Restatement, RestatementQuery } from './restatement.ts';

/**
 * Covers all inputs of the client up to the day, not only those of the reporting entity, since lots follow units from account to
 * account. People get only what concerns the reporting entity: they may not see others of the client.
 */
export function restatementChangesQuery(
  { store }: Work,
  { before, after, basis, day }: Restatement,
  { from, to }: RestatementQuery,
): ChangesQuery {
  const isPerson = store.scope.visibleClients.kind === 'some';
  const bases = [before, after].flatMap((one) => one ?? []);
  const instruments = new Set(
    bases.flatMap((one) => (isPerson ? coveredInstruments(one) : [...one.instruments.keys()])),
  );
  const currencies = new Set(bases.flatMap(usedCurrencies));
  return {
    client: basis.client,
    from,
    to,
    until: fromDayNumber(day),
    instruments: [...instruments].toSorted(),
    currencies: [...currencies].toSorted(),
    covered: isPerson ? [...new Set(bases.flatMap(coveredIds))].toSorted() : null,
  };
}

function coveredInstruments({ history, places }: ReportBasis): readonly string[] {
  const keys = [...history.table.positions.keys()].map((position) => history.key(position));
  return keys.filter((key) => places.covers(key)).map(({ instrument }) => instrument);
}

function coveredIds({ places, client, reportingEntity }: ReportBasis): readonly string[] {
  const { accounts, depositories, portfolios } = places.listPlaces();
  return [client, reportingEntity, ...accounts, ...depositories, ...portfolios];
}

/** Those of everything that is held, of the legs of forwards, and those that uploads state their values in. */
function usedCurrencies({ history, currency }: ReportBasis): readonly string[] {
  const held = [...history.table.positions.keys()].map((position) => history.instrument(position));
  const legs = held.flatMap(({ terms }) => ('legs' in terms ? terms.legs : []));
  const stated = history.facts.uploads.flatMap((upload) => ('exchange' in upload ? (upload.exchange ?? []) : []));
  return [currency, ...[...held, ...legs, ...stated].map((one) => one.currency)];
}

export interface ListedChange extends ReportedInputChange {
  /** The position in the list. */
  readonly cursor: string;
}

/** Lists changes by moment. */
export async function listChanges(
  { store }: Work,
  query: ChangesQuery,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<ResultPage<ListedChange>> {
  const cursor = after === undefined ? undefined : (JSON.parse(after) as ChangePosition);
  const rows = await store.inputChanges.list(query, { after: cursor, limit: limit + 1 });
  return { records: rows.slice(0, limit).map(toListedChange), hasMore: rows.length > limit };
}

/** Counts by kind, then by change. */
export async function countChanges({ store }: Work, query: ChangesQuery): Promise<readonly InputChangeCount[]> {
  const counts = await store.inputChanges.count(query);
  return counts.map((one) => ({ ...one, kind: one.kind as InputKind }));
}

function toListedChange({ kind, id, other, change, at, date, instrument, account }: ChangedInput): ListedChange {
  return {
    kind: kind as InputKind,
    id,
    otherId: other,
    change,
    at: Math.trunc(at / 1000),
    date: date === null ? null : toDayNumber(date),
    instrumentId: instrument,
    accountId: account,
    cursor: JSON.stringify({ at, kind, id, other } satisfies ChangePosition),
  };
}
