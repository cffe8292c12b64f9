// What may happen to an exchange rate. All clients share them, so only who sees all clients writes one.

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

/** Whoever may write rates writes them alone until the work is done. */
export async function lockRates(work: Work): Promise<void> {
  requireAllClients(work);
  await work.store.versionedTable(fxRate).lock();
}

/** A currency has no rate against itself. `at` is where the rate stands in the body. */
export function refuseSameCurrency({ base, quote }: FxRateInput, pointerPrefix = ''): void {
  if (base !== quote) return;
  const detail = 'quote must be another currency than base.';
  throw refusalForFaults('invalid-document', [
    { code: 'invalid-attribute', detail, pointer: `${pointerPrefix}/quote` },
  ]);
}

export async function putRate(work: Work, input: FxRateInput): Promise<PutOutcome<typeof fxRate>> {
  await lockRates(work);
  return putDatedValue(work, fxRate, { source: 'manual', ...input }, () => invalidateRates(work));
}

/** Once `holdRates` has been called. Answers how many said something new. */
export function putRates(work: Work, rates: readonly FxRateInput[]): Promise<number> {
  return putDatedValues(work, fxRate, {
    common: {},
    columns: {
      base: rates.map(({ base }) => base!),
      quote: rates.map(({ quote }) => quote!),
      date: rates.map(({ date }) => date!),
      source: rates.map(({ source }) => source ?? 'manual'),
      rate: rates.map(({ rate }) => rate!),
    },
  });
}

/** The line, the number and the mark that many rates leave together. */
export function recordRateImport(work: Work, counts: WriteCounts): void {
  if (counts.written === 0) return;
  invalidateRates(work);
  auditBulk(work, { type: fxRate.type, id: work.ids.next(), clientId: null }, { [fxRate.plural]: counts });
}
