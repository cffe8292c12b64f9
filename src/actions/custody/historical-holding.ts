// What may happen to a historical holding: it is stated for a place and a day, stated anew over what was stated before, and
// taken back, one by one or by days. Knows no wire.

import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Id } from '../../kit/id.ts';
import { Refusal, refusalForFaults, type Fault } from '../../kit/refusal.ts';
import { resourceLabel, type AnyChange, type AnyRecord, type ChangeOf } from '../../kit/resource.ts';
import {
  historicalHolding,
  historicalHoldingsByKind,
  type HistoricalHolding,
  type HistoricalHoldingResource,
} from '../../model/ledger/historical-holding.ts';
import type { RefusalCode } from '../../model/refusals/refusals.ts';
import { getResource } from '../../model/resources.ts';
import { flagClient } from '../../store/queues/dirty-flags.ts';
import type { UploadQuery } from '../../store/ledger/uploads.ts';
import { putDatedValues, type PutOutcome } from '../core/dated-value.ts';
import { lockReferences } from '../core/reference.ts';
import { auditRecord, notFound, type ChangeRules, type ResultPage } from '../core/resource.ts';
import { audit, type Work } from '../core/work.ts';

type HistoricalHoldingInput = ChangeOf<typeof historicalHolding>;

/** What each of a kind is stated for: the account, or the depository. */
export function locationField({ owner }: HistoricalHoldingResource): 'account' | 'depository' {
  return owner.from;
}

/** What an upload of the kind may be refused with beyond a bad document. */
export function putRefusals(resource: HistoricalHoldingResource): readonly RefusalCode[] {
  const location = `${locationField(resource)}-not-found` as const;
  return 'instrument' in resource.relations ? [location, 'instrument-not-found', 'different-client'] : [location];
}

/** What does not fit together in an upload, wherever its parts come from. */
function listHoldingFaults(fields: HistoricalHoldingInput): Fault[] {
  const { kind, units, marketValue, accruedInterest, currencyExchangeRate, reportingCurrencyCode } = fields;
  const fault = (field: string, detail: string): Fault => ({ code: 'invalid-attribute', detail, field });
  const isNonZero = (amount: unknown): boolean => amount != null && amount !== '0';
  const incompleteRate = 'An exchange rate and its reporting currency are sent together.';
  return [
    ...(kind === 'fee' && marketValue?.startsWith('-')
      ? [fault('marketValue', 'What is owed must not be less than 0.')]
      : []),
    ...(units === '0' && isNonZero(marketValue) ? [fault('marketValue', 'No units have no market value.')] : []),
    ...(units === '0' && isNonZero(accruedInterest)
      ? [fault('accruedInterest', 'No units have no accrued interest.')]
      : []),
    ...(currencyExchangeRate == null && reportingCurrencyCode != null
      ? [fault('currencyExchangeRate', incompleteRate)]
      : []),
    ...(currencyExchangeRate != null && reportingCurrencyCode == null
      ? [fault('reportingCurrencyCode', incompleteRate)]
      : []),
  ];
}

function refuseInvalidHolding(fields: HistoricalHoldingInput): void {
  const faults = listHoldingFaults(fields);
  if (faults.length > 0) throw refusalForFaults('invalid-document', faults);
}

/**
 * The client of the place. Both are held until the work is done: two who state something for one client follow each other, and
 * who moves the client waits.
 */
async function lockClientOf(work: Work, resource: HistoricalHoldingResource, id: Id): Promise<Id | undefined> {
  const table = work.store.table(getResource(locationField(resource)));
  const location = (await table.find(id)) as AnyRecord | undefined;
  if (location === undefined) return undefined;
  work.store.ledgerCounters.lockClients([location['client'] as Id]);
  const [holder] = await table.lockReferenced([id]);
  return holder?.client ?? undefined;
}

/** The mark that the client's figures are to be worked out anew, and that what was read of its uploads is stale. */
function invalidateUploads(work: Work, client: Id): void {
  work.store.uploads.incrementVersion(client);
  flagClient(work.store, client, { cause: 'upload', now: work.now });
}

function findPresentHolding(
  work: Work,
  { versions }: HistoricalHoldingResource,
  fields: AnyChange,
): Promise<AnyRecord | undefined> {
  const where = Object.fromEntries(['kind', ...versions.key].map((field) => [field, fields[field]]));
  return work.store
    .table(historicalHolding)
    .list({ where, limit: 1 })
    .then(([found]) => found);
}

/** States what was held. Over what was stated for the same before; the same again changes nothing. */
export async function putHolding(
  work: Work,
  resource: HistoricalHoldingResource,
  input: AnyChange,
): Promise<PutOutcome<typeof historicalHolding>> {
  const location = locationField(resource);
  const [kind] = resource.only.kind;
  const defaults = { accruedInterest: '0', currencyExchangeRate: null, reportingCurrencyCode: null };
  const contents: AnyChange = { ...(kind === 'instrument' ? defaults : {}), ...input };
  refuseInvalidHolding({ ...contents, kind });
  const client = await lockClientOf(work, resource, input[location] as Id);
  if (client === undefined) throw notFound(getResource(location), { field: location });
  await lockReferences(work, resource, { client, input: { instrument: input['instrument'] } });
  const fields: AnyChange = { ...contents, kind, client };
  const before = await findPresentHolding(work, resource, fields);
  if (before !== undefined && Object.keys(fields).every((name) => before[name] === fields[name])) {
    return { record: before as HistoricalHolding & AnyRecord, outcome: 'same' };
  }
  const { kind: _kind, ...stored } = fields;
  const columns = Object.entries(stored).map(([name, value]) => [name, [value as string | null]]);
  await putDatedValues(work, resource, { common: {}, columns: Object.fromEntries(columns) });
  const after = (await findPresentHolding(work, resource, fields)) as HistoricalHolding & AnyRecord;
  const earlier = before as HistoricalHolding | undefined;
  auditRecord(work, historicalHoldingRules, before ? 'change' : 'create', {
    ...(earlier ? { before: earlier } : {}),
    after,
  });
  invalidateUploads(work, client);
  return { record: after, outcome: before ? 'changed' : 'created' };
}

export interface HoldingDayRange {
  /** The account or the depository, and the parameter that names it. */
  readonly placeType: Id;
  readonly parameter: string;
  /** Inclusive, both. */
  readonly from: CalendarDate;
  readonly to: CalendarDate;
}

/** Takes back all of a kind that was stated for a place on days of a range. */
export async function deleteHoldingsOnDays(
  work: Work,
  resource: HistoricalHoldingResource,
  { placeType: location, parameter, from, to }: HoldingDayRange,
): Promise<void> {
  const target = getResource(locationField(resource));
  const client = await lockClientOf(work, resource, location);
  if (client === undefined) {
    const code = `${target.type}-not-found`;
    const detail = `There is no such ${resourceLabel(target)}.`;
    throw new Refusal(code, detail, { faults: [{ code, detail, parameter }] });
  }
  const days = { where: { [target.type]: location }, from, to };
  const deleted = await work.store.versionedTable(resource).closeDays(days, work.now);
  if (deleted === 0) return;
  const summary = { [resource.plural.replaceAll('-', '_')]: { deleted, from, to } };
  audit(work, { act: 'change', type: target.type, id: location, clientId: client, before: null, after: summary });
  invalidateUploads(work, client);
}

export async function listHoldings({ store }: Work, query: UploadQuery): Promise<ResultPage<HistoricalHolding>> {
  const rows = await store.uploads.list({ ...query, limit: query.limit + 1 });
  return { records: rows.slice(0, query.limit), hasMore: rows.length > query.limit };
}

export const historicalHoldingRules: ChangeRules<typeof historicalHolding> = {
  resource: historicalHolding,
  refusals: [],
  async change(_work, present, input) {
    refuseInvalidHolding({ ...present, ...input });
    return input as AnyChange;
  },
  async lockFirst(work, id) {
    const found = await work.store.table(historicalHolding).find(id);
    if (found === undefined) return;
    const resource = historicalHoldingsByKind[found.kind];
    await lockClientOf(work, resource, found[locationField(resource)]!);
  },
  afterWrite: (work, { client }) => invalidateUploads(work, client),
};
