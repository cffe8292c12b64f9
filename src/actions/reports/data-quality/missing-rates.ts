// Lists exchange rates that reports of a reporting entity need and do not have: pairs with the first day they are needed.

import type { Day } from '../../../kit/day.ts';
import type { ConversionKey } from '../../../engine/currencies/exchange-rates.ts';
import { coveredPositions } from '../../../engine/history/holdings.ts';
import { RateGapRecorder } from '../../../engine/currencies/rate-gap-recorder.ts';
import { emptyFinding, type FindingWithRows } from './finding-with-rows.ts';
import type { ReportBasis } from '../report-basis.ts';

/** Lists what was recorded so far, and what the first day of each position needs. */
export function missingRates(
  basis: ReportBasis,
  lastDay: Day,
  recordingRates: RateGapRecorder | undefined,
): readonly FindingWithRows[] {
  const { history, places, currency: to } = basis;
  const rates = recordingRates ?? new RateGapRecorder(history.facts.rates);
  for (const position of coveredPositions(history, places.covers)) {
    const { currency: from } = history.instrument(position);
    const day = history.units(position).days[0];
    if (day === undefined || day > lastDay || from === to) continue;
    if (rates.find({ from, to, day }) === undefined) rates.recordMissing({ from, to, day });
  }
  return rates.listMissing().map(toFinding);
}

function toFinding({ from, to, day }: ConversionKey): FindingWithRows {
  return { ...emptyFinding, code: 'fx-rate-missing', date: day, currency: from, toCurrency: to };
}
