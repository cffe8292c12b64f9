// Rules for exchange rates. All clients share them, so only callers that see all clients may write them.

import { defined } from '../../kit/assert.ts';
import { refusalForFaults } from '../../kit/refusal.ts';
import type { ChangeOf } from '../../kit/resource.ts';
import { fxRate } from '../../model/instrument/fx-rate.ts';
import { flagAllClients } from '../../store/queues/dirty-flags.ts';
import { auditBulk, putDatedValues, putDatedValue, type PutOutcome, type WriteCounts } from '../core/dated-value.ts';
import { requireAllClients } from '../core/all-clients-access.ts';
import type { DeleteRules } from '../core/resource.ts';
import type { Work } from '../core/work.ts';

type FxRateInput = ChangeOf<typeof fxRate>;

export const fxRateRules: DeleteRules<typeof fxRate> = {
  resource: fxRate,
  checkAccess: requireAllClients,
  lockFirst: (work) => work.store.versionedTable(fxRate).lock(),
  afterWrite: invalidateRates,
};

function invalidateRates(work: Work): void {
  work.store.seriesVersions.incrementRatesVersion();
  flagAllClients(work.store, { cause: 'rate', now: work.now });
}

/** Locks the rates until the transaction ends, so that writers follow each other. */
export async function lockRates(work: Work): Promise<void> {
  requireAllClients(work);
  await work.store.versionedTable(fxRate).lock();
}

/** Refuses a rate of a currency against itself. `pointerPrefix` is the path of the rate in the body. */
export function refuseSameCurrency({ base, quote }: FxRateInput, pointerPrefix = ''): void {
  if (base !== quote) return;
  const detail = 'quote must be a different currency from base.';
  throw refusalForFaults('invalid-document', [
    { code: 'invalid-attribute', detail, pointer: `${pointerPrefix}/quote` },
  ]);
}

export async function putRate(work: Work, input: FxRateInput): Promise<PutOutcome<typeof fxRate>> {
  requireAllClients(work);
  const [, outcome] = await Promise.all([
    work.store.versionedTable(fxRate).lock(),
    putDatedValue(work, fxRate, { source: 'manual', ...input }, () => invalidateRates(work)),
  ]);
  return outcome;
}

/** Writes many rates after `lockRates`. Returns how many were new or changed. */
export function putRates(work: Work, sent: readonly FxRateInput[]): Promise<number> {
  // One pair after the other, as they lie in the index.
  const rates = [...Map.groupBy(sent, ({ base, quote }) => `${base} ${quote}`).values()].flat();
  return putDatedValues(work, fxRate, {
    common: {},
    columns: {
      base: rates.map(({ base }) => defined(base, 'a rate is read with its base')),
      quote: rates.map(({ quote }) => defined(quote, 'a rate is read with its quote')),
      date: rates.map(({ date }) => defined(date, 'a rate is read with its date')),
      source: rates.map(({ source }) => source ?? 'manual'),
      rate: rates.map(({ rate }) => defined(rate, 'a rate is read with its rate')),
    },
  });
}

/** Writes one audit entry, one new version and one dirty flag for all rates of an import. */
export function recordRateImport(work: Work, counts: WriteCounts): void {
  if (counts.written === 0) return;
  invalidateRates(work);
  auditBulk(work, { type: fxRate.type, id: work.ids.next(), clientId: null }, { [fxRate.plural]: counts });
}
