// Times the money-weighted return of flows over ten years: the engine from columns and from exact amounts, bare doubles,
// decimal.js throughout and for the sums only. Compares the answers before timing.

import { Decimal } from './decimal/configured-decimal.ts';
import { xirr, type MoneyWeightedReturn } from '../../src/engine/returns/money-weighted/xirr.ts';
import { bareXirr } from './bare/xirr.ts';
import { decimalSumsXirr, decimalXirr } from './decimal/xirr.ts';
import { xirrFromColumns, type FlowColumns } from './holdfast/xirr.ts';
import { timeInTurns, timeOnce, type EngineMeasurement } from './harness.ts';
import { randomNumbers } from './ledger/random-numbers.ts';
import { implementationNames } from './implementation-names.ts';

const dayCount = 3_653;

/** In hundredths. Two of three flows are deposits; the last flow is the final value with its earnings. */
function generateFlows(count: number): FlowColumns {
  const random = randomNumbers(815);
  const days = Int32Array.from({ length: count }, (_, index) => Math.floor((index * dayCount) / count));
  const amounts = new Float64Array(count);
  let worth = 0;
  for (let index = 0; index < count - 1; index++) {
    if (index > 0) worth *= 1 + (random.fraction() - 0.45) * ((days[index]! - days[index - 1]!) / 200);
    const isPaidIn = worth < 50_000_00 || random.fraction() < 2 / 3;
    const amount = random.between(100_00, 10_000_00);
    amounts[index] = isPaidIn ? -amount : amount;
    worth -= amounts[index]!;
  }
  amounts[count - 1] = Math.round(worth);
  return { days, amounts };
}

const timeBudget = { rounds: 9, implementationMsMax: 5_000 };

/** Throws if the answers differ. */
export function measureMoneyWeighted(count: number): EngineMeasurement {
  const columns = generateFlows(count);
  const exact = Array.from(columns.days, (day, index) => ({
    day,
    amount: BigInt(columns.amounts[index]!) * 10n ** 16n,
  }));
  const decimals = exact.map(({ day }, index) => ({ day, amount: new Decimal(columns.amounts[index]!).div(100) }));
  const slow = timeOnce(implementationNames.decimal, () => decimalXirr(decimals));
  const rate = rateOf(xirrFromColumns(columns));
  for (const other of [rateOf(xirr(exact)), bareXirr(columns), decimalSumsXirr(decimals), slow.answer]) {
    if (!(Math.abs(other - rate) <= 1e-9))
      throw new Error(`XIRR of ${count} flows: ${rate}, but ${other} from another implementation.`);
  }
  const implementations = [
    { name: implementationNames.ours, run: () => xirrFromColumns(columns) },
    { name: `${implementationNames.ours}, summed exactly`, run: () => xirr(exact) },
    { name: implementationNames.bare, run: () => bareXirr(columns) },
    { name: `${implementationNames.decimal}, for sums only`, run: () => decimalSumsXirr(decimals) },
  ];
  return { task: 'XIRR', size: count, timings: [...timeInTurns(implementations, timeBudget), slow.timing] };
}

function rateOf({ rate, reason }: MoneyWeightedReturn): number {
  if (rate === null) throw new Error(`There is no rate: ${reason}.`);
  return rate;
}
