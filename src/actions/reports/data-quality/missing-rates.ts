// Exchange rates that reports of a reporting entity would miss: pairs, each with the first day that it is needed for. Knows no amount.

import type { Day } from '../../../kit/day.ts';
import type { Exchange } from '../../../engine/currencies/exchange-rates.ts';
import { coveredPositions } from '../../../engine/history/holdings.ts';
import { NotedRates } from '../../../engine/currencies/rate-gap-recorder.ts';
import { nothingTold, type FoundFinding } from './finding-renderer.ts';
import type { ReportScope } from '../report-basis.ts';

/** What was noted so far, and what the first day of a position needs: its value is asked for from then on. */
export function missingRates(scope: ReportScope, until: Day, noted: NotedRates | undefined): readonly FoundFinding[] {
  const { history, places, currency: to } = scope;
  const rates = noted ?? new NotedRates(history.facts.rates);
  for (const position of coveredPositions(history, places.covers)) {
    const { currency: from } = history.instrument(position);
    const day = history.units(position).days[0];
    if (day === undefined || day > until || from === to) continue;
    if (rates.find({ from, to, day }) === undefined) rates.note({ from, to, day });
  }
  return rates.missing().map(missingRate);
}

function missingRate({ from, to, day }: Exchange): FoundFinding {
  return { ...nothingTold, code: 'fx-rate-missing', date: day, currency: from, toCurrency: to };
}
