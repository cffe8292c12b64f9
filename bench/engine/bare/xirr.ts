// The money-weighted return with plain doubles and no checks: flows laid out by day, Newton steps on the polynomial in the daily
// discount factor, evaluated by Horner's rule. Finds one root, without checking that it is the only one.

export interface BareFlows {
  /** The first day is the earliest, the last the latest. */
  readonly days: Int32Array;
  readonly amounts: Float64Array;
}

export function bareXirr({ days, amounts }: BareFlows): number {
  const [first, last] = [days[0]!, days[days.length - 1]!];
  const byDay = new Float64Array(last - first + 1);
  for (let index = 0; index < days.length; index++) byDay[days[index]! - first]! += amounts[index]!;
  let discount = 1;
  for (let step = 0; step < 100; step++) {
    let [value, slope] = [0, 0];
    for (let day = byDay.length - 1; day >= 0; day--) {
      slope = slope * discount + value;
      value = value * discount + byDay[day]!;
    }
    const next = discount - value / slope;
    if (Math.abs(next - discount) <= 1e-15) break;
    discount = next;
  }
  return discount ** -365 - 1;
}
