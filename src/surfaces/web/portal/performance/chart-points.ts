// Chooses the days that a chart shows, so that its table stays short: the last day of every step, and the days that must not be missing.

import { doubleText } from '../../../../kit/decimal.ts';

export interface SeriesDay {
  readonly date: string;
  readonly market_value: string;
  readonly net_cash_flow: string;
  readonly cumulative_twr: string | null;
}

const pointsMax = 130;

/** Always with the first and the last day. */
export function chartDays<Day extends { readonly date: string }>(
  days: readonly Day[],
  keep: readonly (string | null)[] = [],
): readonly Day[] {
  const step = Math.ceil(days.length / pointsMax);
  const kept = new Set(keep);
  const last = days.length - 1;
  return days.filter((day, index) => index === 0 || (last - index) % step === 0 || kept.has(day.date));
}

/** How far each day is below the highest so far, as a fraction of it. Ratios are doubles at the API, too. */
export function drawdowns(
  days: readonly Pick<SeriesDay, 'date' | 'cumulative_twr'>[],
): readonly { date: string; value: string }[] {
  let peak = 1;
  return days.flatMap(({ date, cumulative_twr: twr }) => {
    if (twr === null) return [];
    const level = 1 + Number(twr);
    peak = Math.max(peak, level);
    return [{ date, value: doubleText(level / peak - 1) }];
  });
}
