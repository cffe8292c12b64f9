// What may happen to a historical holding: it is stated for a place and a day, stated anew over what was stated before, and
// taken back, one by one or by days. Knows no wire.

import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Id } from '../../kit/id.ts';
import { Refusal, refuseFaults, type Fault } from '../../kit/refusal.ts';
import { wordsOf, type AnyChange, type AnyRecord, type ChangeOf } from '../../kit/resource.ts';
import {
  historicalHolding,
  holdingsByKind,
  type HistoricalHolding,
  type HoldingResource,
} from '../../model/ledger/historical-holding.ts';
import type { RefusalCode } from '../../model/refusals/refusals.ts';
import { resourceOf } from '../../model/resources.ts';
import { markClient } from '../../store/queues/dirty-flags.ts';
import type { UploadQuery } from '../../store/ledger/uploads.ts';
import { putAllDated, type PutOutcome } from '../core/dated-value.ts';
import { holdReferred } from '../core/reference.ts';
import { auditThing, notFound, type ChangeRules, type Page } from '../core/resource.ts';
import { audit, type Work } from '../core/work.ts';

type Asked = ChangeOf<typeof historicalHolding>;

/** What each of a kind is stated for: the account, or the depository. */
export function placeOf({ owner }: HoldingResource): 'account' | 'depository' {
  return owner.from;
}

/** What an upload of the kind may be refused with beyond a bad document. */
export function putRefusalsOf(resource: HoldingResource): readonly RefusalCode[] {
  const place = `${placeOf(resource)}-not-found` as const;
  return 'instrument' in resource.relations ? [place, 'instrument-not-found', 'different-client'] : [place];
}

/** What does not fit together in an upload, wherever its parts come from. */
function listMisfits(fields: Asked): Fault[] {
  const { kind, units, marketValue, accruedInterest, currencyExchangeRate, reportingCurrencyCode } = fields;
  const misfit = (field: string, detail: string): Fault => ({ code: 'invalid-attribute', detail, field });
  const isSomething = (amount: unknown): boolean => amount != null && amount !== '0';
  const alone = 'An exchange rate and its reporting currency are sent together.';
  return [
    ...(kind === 'fee' && marketValue?.startsWith('-')
      ? [misfit('marketValue', 'What is owed must not be less than 0.')]
      : []),
    ...(units === '0' && isSomething(marketValue) ? [misfit('marketValue', 'No units have no market value.')] : []),
    ...(units === '0' && isSomething(accruedInterest)
      ? [misfit('accruedInterest', 'No units have no accrued interest.')]
      : []),
    ...(currencyExchangeRate == null && reportingCurrencyCode != null ? [misfit('currencyExchangeRate', alone)] : []),
    ...(currencyExchangeRate != null && reportingCurrencyCode == null ? [misfit('reportingCurrencyCode', alone)] : []),
  ];
}

function refuseMisfits(fields: Asked): void {
  const faults = listMisfits(fields);
  if (faults.length > 0) throw refuseFaults('invalid-document', faults);
}

/**
 * The client of the place. Both are held until the work is done: two who state something for one client follow each other, and
 * who moves the client waits.
 */
async function findClientOf(work: Work, resource: HoldingResource, id: Id): Promise<Id | undefined> {
  const table = work.store.table(resourceOf(placeOf(resource)));
  const place = (await table.find(id)) as AnyRecord | undefined;
  if (place === undefined) return undefined;
  work.store.ledgerNumbers.lockClients([place['client'] as Id]);
  const [held] = await table.hold([id]);
  return held?.client ?? undefined;
}

/** The mark that the client's figures are to be worked out anew, and that what was read of its uploads is stale. */
function leaveTrace(work: Work, client: Id): void {
  work.store.uploads.raise(client);
  markClient(work.store, client, { cause: 'upload', now: work.now });
}

function findStated(work: Work, { versions }: HoldingResource, fields: AnyChange): Promise<AnyRecord | undefined> {
  const where = Object.fromEntries(['kind', ...versions.key].map((field) => [field, fields[field]]));
  return work.store
    .table(historicalHolding)
    .list({ where, limit: 1 })
    .then(([found]) => found);
}

/** States what was held. Over what was stated for the same before; the same again changes nothing. */
export async function putHolding(
  work: Work,
  resource: HoldingResource,
  asked: AnyChange,
): Promise<PutOutcome<typeof historicalHolding>> {
  const place = placeOf(resource);
  const [kind] = resource.only.kind;
  const defaults = { accruedInterest: '0', currencyExchangeRate: null, reportingCurrencyCode: null };
  const contents: AnyChange = { ...(kind === 'instrument' ? defaults : {}), ...asked };
  refuseMisfits({ ...contents, kind });
  const client = await findClientOf(work, resource, asked[place] as Id);
  if (client === undefined) throw notFound(resourceOf(place), { field: place });
  await holdReferred(work, resource, { client, asked: { instrument: asked['instrument'] } });
  const fields: AnyChange = { ...contents, kind, client };
  const before = await findStated(work, resource, fields);
  if (before !== undefined && Object.keys(fields).every((name) => before[name] === fields[name])) {
    return { record: before as HistoricalHolding & AnyRecord, outcome: 'same' };
  }
  const { kind: _kind, ...stored } = fields;
  const columns = Object.entries(stored).map(([name, value]) => [name, [value as string | null]]);
  await putAllDated(work, resource, { given: {}, columns: Object.fromEntries(columns) });
  const after = (await findStated(work, resource, fields)) as HistoricalHolding & AnyRecord;
  const earlier = before as HistoricalHolding | undefined;
  auditThing(work, holdingRules, before ? 'change' : 'create', { ...(earlier ? { before: earlier } : {}), after });
  leaveTrace(work, client);
  return { record: after, outcome: before ? 'changed' : 'created' };
}

export interface HoldingDays {
  /** The account or the depository, and the parameter that names it. */
  readonly place: Id;
  readonly parameter: string;
  /** Inclusive, both. */
  readonly from: CalendarDate;
  readonly to: CalendarDate;
}

/** Takes back all of a kind that was stated for a place on days of a range. */
export async function deleteDays(
  work: Work,
  resource: HoldingResource,
  { place, parameter, from, to }: HoldingDays,
): Promise<void> {
  const target = resourceOf(placeOf(resource));
  const client = await findClientOf(work, resource, place);
  if (client === undefined) {
    const code = `${target.type}-not-found`;
    const detail = `There is no such ${wordsOf(target)}.`;
    throw new Refusal(code, detail, { faults: [{ code, detail, parameter }] });
  }
  const days = { where: { [target.type]: place }, from, to };
  const deleted = await work.store.versions(resource).closeDays(days, work.now);
  if (deleted === 0) return;
  const told = { [resource.plural.replaceAll('-', '_')]: { deleted, from, to } };
  audit(work, { act: 'change', type: target.type, id: place, clientId: client, before: null, after: told });
  leaveTrace(work, client);
}

export async function listHoldings({ store }: Work, query: UploadQuery): Promise<Page<HistoricalHolding>> {
  const rows = await store.uploads.list({ ...query, limit: query.limit + 1 });
  return { things: rows.slice(0, query.limit), hasMore: rows.length > query.limit };
}

export const holdingRules: ChangeRules<typeof historicalHolding> = {
  resource: historicalHolding,
  refusals: [],
  async change(_work, present, asked) {
    refuseMisfits({ ...present, ...asked });
    return asked as AnyChange;
  },
  async holdFirst(work, id) {
    const found = await work.store.table(historicalHolding).find(id);
    if (found === undefined) return;
    const resource = holdingsByKind[found.kind];
    await findClientOf(work, resource, found[placeOf(resource)]!);
  },
  leaveTrace: (work, { client }) => leaveTrace(work, client),
};
