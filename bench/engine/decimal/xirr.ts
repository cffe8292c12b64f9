// The money-weighted return in the obvious way with decimal.js, in two variants: decimals throughout, and decimals only for the
// daily sums with the rate as a plain number.

import { Decimal } from './configured-decimal.ts';

export interface DecimalFlow {
  readonly day: number;
  readonly amount: Decimal;
}

interface Term<Amount> {
  readonly years: number;
  readonly amount: Amount;
}

const stepMax = 100;

function netTerms(flows: readonly DecimalFlow[]): Term<Decimal>[] {
  const netByDay = new Map<number, Decimal>();
  for (const { day, amount } of flows) netByDay.set(day, netByDay.get(day)?.plus(amount) ?? amount);
  const first = Math.min(...netByDay.keys());
  return [...netByDay].map(([day, amount]) => ({ years: (day - first) / 365, amount }));
}

/** 20 digits, the default precision of decimal.js. */
const UsualDecimal = Decimal.clone({ precision: 20 });

export function decimalXirr(flows: readonly DecimalFlow[]): number {
  const terms = netTerms(flows);
  let rate = new UsualDecimal('0.1');
  for (let step = 0; step < stepMax; step++) {
    const growth = rate.plus(1);
    let [value, slope] = [new UsualDecimal(0), new UsualDecimal(0)];
    for (const { years, amount } of terms) {
      const present = new UsualDecimal(amount).div(growth.pow(years));
      value = value.plus(present);
      slope = slope.minus(present.times(years).div(growth));
    }
    const next = rate.minus(value.div(slope));
    if (next.minus(rate).abs().lessThanOrEqualTo(1e-13)) return next.toNumber();
    rate = next;
  }
  throw new Error('No rate was found.');
}

export function decimalSumsXirr(flows: readonly DecimalFlow[]): number {
  const terms = netTerms(flows).map(({ years, amount }) => ({ years, amount: amount.toNumber() }));
  let rate = 0.1;
  for (let step = 0; step < stepMax; step++) {
    let [value, slope] = [0, 0];
    for (const { years, amount } of terms) {
      const present = amount / (1 + rate) ** years;
      value += present;
      slope -= (years * present) / (1 + rate);
    }
    const next = rate - value / slope;
    if (Math.abs(next - rate) <= 1e-13) return next;
    rate = next;
  }
  throw new Error('No rate was found.');
}
