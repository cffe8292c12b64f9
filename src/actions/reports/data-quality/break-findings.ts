// Differences between custodians' statements and the ledger as findings: those at places that the reporting entity covers, and that
// nobody has accepted.

import { fromDayNumber, toDayNumber } from '../../../kit/calendar-date.ts';
import type { Day } from '../../../kit/day.ts';
import { parseFixed } from '../../../kit/fixed.ts';
import { explainStatedDifference } from '../../../engine/explanation/explanation.ts';
import { cashInstrument } from '../../../engine/ledger/position-key.ts';
import type { FoundBreak } from '../../../store/custody/reconciliation-breaks.ts';
import type { Work } from '../../core/work.ts';
import { coversPlace } from '../../reconciliation/reconciliation.ts';
import { withoutAccepted } from '../../reconciliation/reconciliation-break.ts';
import { listBreaks, reconcileClient } from '../../reconciliation/reconcile-client.ts';
import type { ReportBasis } from '../report-basis.ts';
import { latestDay } from '../latest-day.ts';
import { emptyFinding, type FindingWithRows } from './finding-with-rows.ts';

/** The statements are the latest on or before the day; from the latest day with data on, also those that are later. */
export async function breakFindings(work: Work, basis: ReportBasis, day: Day): Promise<readonly FindingWithRows[]> {
  const { client, knownAt, places } = basis;
  const isLatest = day >= latestDay(basis);
  const until = isLatest ? undefined : fromDayNumber(day);
  const reconciliation = await reconcileClient(work, { client, knownAt, until });
  const { inputs } = reconciliation;
  if (inputs === null) return [];
  const covered = listBreaks(reconciliation).filter((one) => coversPlace(places, inputs, one));
  const breaks = await withoutAccepted(work, client, covered, knownAt ?? work.now);
  return breaks.map((one) => ({ ...toFinding(one), ...differenceDrafts(one, basis) }));
}

/** A break of an instrument that nobody knows has no units in the ledger. */
function differenceDrafts(found: FoundBreak, { history }: ReportBasis): Pick<FindingWithRows, 'drafts'> {
  const { account, depository, aspect, currency } = found;
  const instrument = aspect === 'cash' ? cashInstrument(currency ?? '') : found.instrument;
  const key = { account, depository, instrument: instrument ?? '' };
  const [stated, ledger] = [parseFixed(found.stated), parseFixed(found.stated) - parseFixed(found.difference)];
  const unit = aspect === 'units' ? 'units' : (currency ?? 'units');
  const difference = { key, isPrice: aspect === 'price', day: toDayNumber(found.date), unit, stated, ledger };
  const draft = () => ({
    explanation: explainStatedDifference(history, difference),
    ...(instrument !== null && { of: key }),
  });
  return { drafts: { quantity: draft, amount: draft } };
}

function toFinding({ account, depository, instrument, currency, aspect, date, difference, ...found }: FoundBreak) {
  const isMoney = aspect !== 'units';
  return {
    ...emptyFinding,
    code: `break-${found.class}` as const,
    accountId: account,
    depositoryId: depository,
    instrumentId: aspect === 'cash' ? cashInstrument(currency ?? '') : instrument,
    date: toDayNumber(date),
    quantity: aspect === 'price' ? null : parseFixed(difference),
    amount: isMoney ? parseFixed(difference) : null,
    currency: isMoney ? currency : null,
    transactionIds: found.transactionIds,
    ...(aspect === 'price' && found.ledger !== null
      ? { priceChange: { from: parseFixed(found.ledger), by: parseFixed(difference) } }
      : {}),
  };
}
