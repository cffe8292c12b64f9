// What may happen to an exchange rate. All clients share them, so only who sees all clients writes one.

import { refuseFaults } from '../../kit/refusal.ts';
import type { ChangeOf } from '../../kit/resource.ts';
import { fxRate } from '../../model/instrument/fx-rate.ts';
import { markAllClients } from '../../store/queues/dirty-flags.ts';
import { auditMany, putAllDated, putDated, type PutOutcome, type Written } from '../core/dated-value.ts';
import { refuseUnlessAllSeen } from '../core/all-clients-access.ts';
import type { DeleteRules } from '../core/resource.ts';
import type { Work } from '../core/work.ts';

type Asked = ChangeOf<typeof fxRate>;

export const fxRateRules: DeleteRules<typeof fxRate> = {
  resource: fxRate,
  mayTouch: refuseUnlessAllSeen,
  holdFirst: (work) => work.store.versions(fxRate).lock(),
  leaveTrace,
};

function leaveTrace(work: Work): void {
  work.store.seriesNumbers.raiseRates();
  markAllClients(work.store, { cause: 'rate', now: work.now });
}

/** Whoever may write rates writes them alone until the work is done. */
export async function holdRates(work: Work): Promise<void> {
  refuseUnlessAllSeen(work);
  await work.store.versions(fxRate).lock();
}

/** A currency has no rate against itself. `at` is where the rate stands in the body. */
export function refuseOneCurrency({ base, quote }: Asked, at = ''): void {
  if (base !== quote) return;
  const detail = 'quote must be another currency than base.';
  throw refuseFaults('invalid-document', [{ code: 'invalid-attribute', detail, pointer: `${at}/quote` }]);
}

export async function putRate(work: Work, asked: Asked): Promise<PutOutcome<typeof fxRate>> {
  await holdRates(work);
  return putDated(work, fxRate, { source: 'manual', ...asked }, () => leaveTrace(work));
}

/** Once `holdRates` has been called. Answers how many said something new. */
export function putRates(work: Work, rates: readonly Asked[]): Promise<number> {
  return putAllDated(work, fxRate, {
    given: {},
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
export function traceRates(work: Work, told: Written): void {
  if (told.written === 0) return;
  leaveTrace(work);
  auditMany(work, { type: fxRate.type, id: work.ids.next(), clientId: null }, { [fxRate.plural]: told });
}
