// Dated amounts at the rates of their days, added up by day. Knows not what they were paid for.

import { AmountColumn, type AmountParts } from '../amount-column.ts';
import type { DailyRates } from '../daily-rates.ts';
import { convertedAmount } from '../exchange-rates.ts';
import { lastOnOrBefore } from '../series.ts';
import { convertedMax, putConverted, putExactly, putValue } from './converted-value.ts';
import { fixedAt, type DatedColumn } from './dated-column.ts';
import { findReady, type ReadyUnits } from './ready-units.ts';

export interface FlowRequest {
  /** Those outside the window of the rates are left out. */
  readonly flows: DatedColumn;
  readonly rates: DailyRates;
}

/** Each is rounded by itself, then added. */
export function passFlows({ flows, rates }: FlowRequest, column: AmountColumn): void {
  const { first, last } = rates.window;
  const { days, values, scale } = flows;
  const parts = { high: new Float64Array(1), low: new Float64Array(1) };
  const end = lastOnOrBefore(days, last) + 1;
  for (let index = lastOnOrBefore(days, first - 1) + 1; index < end; index++) {
    if (values[index] === 0) continue;
    const at = days[index]! - first;
    const ready = findReady(values[index]!, scale);
    if (ready && putFlow(parts, ready, rates, at)) column.addParts(at, parts.high[0]!, parts.low[0]!);
    else column.add(at, convertedAmount(fixedAt(flows, index), rates.get(days[index]!)));
  }
}

function putFlow(parts: AmountParts, { units, scale }: ReadyUnits, rates: DailyRates, at: number): boolean {
  if (rates.isOne && putValue(parts, 0, units, 1, scale)) return true;
  const { rate, rest, reach } = rates.split(scale.finerPlaces);
  const isWithin = Math.abs(units) * reach <= convertedMax;
  if (isWithin && putConverted(parts.high, parts.low, 0, units, 1, rate[at]!, rest[at]!)) return true;
  return putExactly(parts, 0, { units, price: 1, by: rates.by[at]!, per: rates.per[at]! }, scale);
}
