// The use cases of historical holdings: put one for an account or depository and a day, replacing the previous one, and delete them one
// by one or by days.

import { defined } from '../../kit/assert.ts';
import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Id } from '../../kit/id.ts';
import { Refusal, refusalForFaults, type Fault } from '../../kit/refusal.ts';
import { anyChange, resourceLabel, type AnyChange, type AnyRecord, type ChangeOf } from '../../kit/resource.ts';
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
import { isSame, putVersion, type PutOutcome } from '../core/dated-value.ts';
import { lockOwned } from '../core/reference.ts';
import { auditRecord, toResultPage, type ChangeRules, type ResultPage } from '../core/resource.ts';
import { audit, type Work } from '../core/work.ts';

type HistoricalHoldingInput = ChangeOf<typeof historicalHolding>;

/** The field that locates a holding of this kind: the account or the depository. */
export function locationField({ owner }: HistoricalHoldingResource): 'account' | 'depository' {
  return owner.from;
}

/** The refusals of putting a holding of this kind, besides those for an invalid document. */
export function putRefusals(resource: HistoricalHoldingResource): readonly RefusalCode[] {
  const location = `${locationField(resource)}-not-found` as const;
  return 'instrument' in resource.relations ? [location, 'instrument-not-found', 'different-client'] : [location];
}

/** Checks that the fields of a holding fit together. */
function listHoldingFaults(fields: HistoricalHoldingInput): Fault[] {
  const { kind, units, marketValue, accruedInterest, currencyExchangeRate, reportingCurrencyCode } = fields;
  const fault = (field: string, detail: string): Fault => ({ code: 'invalid-attribute', detail, field });
  const isNonZero = (amount: unknown): boolean => amount != null && amount !== '0';
  const incompleteRate = 'Send the exchange rate and the reporting currency together.';
  return [
    ...(kind === 'fee' && marketValue?.startsWith('-')
      ? [fault('marketValue', 'The fees owed must not be negative.')]
      : []),
    ...(units === '0' && isNonZero(marketValue)
      ? [fault('marketValue', 'The market value must be 0 if there are no units.')]
      : []),
    ...(units === '0' && isNonZero(accruedInterest)
      ? [fault('accruedInterest', 'The accrued interest must be 0 if there are no units.')]
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
 * Locks the location and its client until the transaction ends, and returns the client. Writers of the same client wait for each other,
 * and so does a move of the client.
 */
async function lockClientOf(work: Work, resource: HistoricalHoldingResource, id: Id): Promise<Id | undefined> {
  const location = locationField(resource);
  work.store.ledgerCounters.lockClientAt(location, id);
  const [locked] = await work.store.table(getResource(location)).lockReferenced([id]);
  return locked?.client ?? undefined;
}

/** Marks cached uploads of the client as stale, and flags the client for a round. */
function invalidateUploads(work: Work, client: Id): void {
  work.store.uploads.incrementVersion(client);
  flagClient(work.store, client, { cause: 'upload', now: work.now });
}

type StoredHolding = HistoricalHolding & AnyRecord;

async function findPresentHolding(
  work: Work,
  { versions }: HistoricalHoldingResource,
  fields: AnyChange,
): Promise<StoredHolding | undefined> {
  const where = Object.fromEntries(['kind', ...versions.key].map((field) => [field, fields[field]]));
  const [found] = await work.store.table(historicalHolding).list({ where, limit: 1 });
  return found;
}

/** Writes a holding over the previous one for the same location and day. Putting the same again changes nothing. */
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
  const id = input[location] as Id;
  const find = (): Promise<StoredHolding | undefined> => findPresentHolding(work, resource, { ...contents, kind });
  work.store.ledgerCounters.lockClientAt(location, id);
  const [client, before, related] = await Promise.all([
    lockOwned(work, resource, { field: location, id, others: { instrument: input['instrument'] } }),
    find(),
    work.store.newRecords(historicalHolding).readRelated(contents),
  ]);
  const fields: AnyChange = { ...contents, kind, client };
  if (isSame(before, fields)) return { record: before, outcome: 'same' };
  const record = await putVersion(work, { resource, shownAs: historicalHolding, find }, { before, fields, related });
  auditRecord(work, historicalHoldingRules, before ? 'change' : 'create', {
    ...(before ? { before } : {}),
    after: record,
  });
  invalidateUploads(work, client);
  return { record, outcome: before ? 'changed' : 'created' };
}

export interface HoldingDayRange {
  /** The account or the depository, and the parameter that names it. */
  readonly locationId: Id;
  readonly parameter: string;
  /** Inclusive, both. */
  readonly from: CalendarDate;
  readonly to: CalendarDate;
}

/** Deletes all holdings of a kind at a location on the days of a range. */
export async function deleteHoldingsOnDays(
  work: Work,
  resource: HistoricalHoldingResource,
  { locationId, parameter, from, to }: HoldingDayRange,
): Promise<void> {
  const target = getResource(locationField(resource));
  const client = await lockClientOf(work, resource, locationId);
  if (client === undefined) {
    const code = `${target.type}-not-found`;
    const detail = `There is no such ${resourceLabel(target)}.`;
    throw new Refusal(code, detail, { faults: [{ code, detail, parameter }] });
  }
  const days = { where: { [target.type]: locationId }, from, to };
  const deleted = await work.store.versionedTable(resource).closeDays(days, work.now);
  if (deleted === 0) return;
  const summary = { [resource.plural.replaceAll('-', '_')]: { deleted, from, to } };
  audit(work, { act: 'change', type: target.type, id: locationId, clientId: client, before: null, after: summary });
  invalidateUploads(work, client);
}

export async function listHoldings({ store }: Work, query: UploadQuery): Promise<ResultPage<HistoricalHolding>> {
  const rows = await store.uploads.list({ ...query, limit: query.limit + 1 });
  return toResultPage(rows, query.limit);
}

export const historicalHoldingRules: ChangeRules<typeof historicalHolding> = {
  resource: historicalHolding,
  refusals: [],
  async change(_work, present, input) {
    refuseInvalidHolding({ ...present, ...input });
    return anyChange(input);
  },
  async lockFirst(work, id) {
    const found = await work.store.table(historicalHolding).find(id);
    if (found === undefined) return;
    const resource = historicalHoldingsByKind[found.kind];
    await lockClientOf(work, resource, defined(found[locationField(resource)], 'a holding has a location'));
  },
  afterWrite: (work, { client }) => invalidateUploads(work, client),
};
