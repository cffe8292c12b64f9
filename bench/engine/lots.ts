// Times FIFO lots with cost at the last date in three ways on the same ledger: the engine, bare doubles, decimal.js. Compares the
// answers before timing.

import { Decimal } from './decimal/configured-decimal.ts';
import type { QuantityAndCost } from '../../src/engine/lots/lot.ts';
import { fromFixed } from '../../src/kit/fixed.ts';
import { bareLots, type BareColumns, type BareTotals } from './bare/lots.ts';
import { decimalLots, type DecimalTotal, type DecimalTrade } from './decimal/lots.ts';
import { places, type GeneratedLedger } from './ledger/generated-ledger.ts';
import { timeInTurns, retainedBytes, type EngineMeasurement } from './harness.ts';
import { positionName } from './ledger/journal.ts';
import { engineFactsOf } from './holdfast/facts.ts';
import { holdfastPositions } from './holdfast/positions.ts';
import { holdfastLots, quickLedgerOf, type CostCurrencies } from './holdfast/lots.ts';
import { lotsTask, implementationNames } from './implementation-names.ts';

function totalsOfDecimals(trades: readonly DecimalTrade[]) {
  const positions = decimalLots(trades);
  return { positions, totals: [...positions.values()].map((position) => position.total()) };
}

function bareColumnsOf(ledger: GeneratedLedger, wanted: CostCurrencies): BareColumns {
  const costs = wanted === 'trade' ? ([ledger.amounts] as const) : ([ledger.amounts, ledger.referenceAmounts] as const);
  return { positions: ledger.rowPositions, quantities: ledger.quantities, costs };
}

function decimalTradesOf(ledger: GeneratedLedger, wanted: CostCurrencies): DecimalTrade[] {
  const [unit, cent] = [new Decimal(10).pow(-places.quantity), new Decimal(10).pow(-places.amount)];
  const trades: DecimalTrade[] = [];
  for (const [row, position] of ledger.rowPositions.entries()) {
    if (position < 0) continue;
    const trade = {
      position: String(position),
      day: ledger.days[row]!,
      quantity: unit.times(ledger.quantities[row]!),
      amount: cent.times(ledger.amounts[row]!),
    };
    const referenceAmount = cent.times(ledger.referenceAmounts[row]!);
    trades.push(wanted === 'trade' ? trade : { ...trade, referenceAmount });
  }
  return trades;
}

const timeBudget = { rounds: 7, implementationMsMax: 6_000 };

/** Throws if the answers differ. decimal.js runs last, so that its objects do not slow down the others. */
export function measureLots(ledger: GeneratedLedger, wanted: CostCurrencies): EngineMeasurement {
  const positionCount = ledger.positions.length;
  const quickLedger = quickLedgerOf(ledger, wanted);
  const bareColumns = bareColumnsOf(ledger, wanted);
  const ours = retainedBytes(() => holdfastLots(quickLedger, positionCount));
  compareWithBare(ours.made.totals, bareLots(bareColumns, positionCount));
  const quick = timeInTurns(
    [
      { name: implementationNames.ours, run: () => holdfastLots(quickLedger, positionCount) },
      { name: implementationNames.bare, run: () => bareLots(bareColumns, positionCount) },
    ],
    timeBudget,
  );
  const trades = retainedBytes(() => decimalTradesOf(ledger, wanted));
  const decimals = retainedBytes(() => decimalLots(trades.made));
  compareWithDecimals(ours.made.totals, (position) => decimals.made.get(String(position))?.total());
  const slow = timeInTurns(
    [{ name: implementationNames.decimal, run: () => totalsOfDecimals(trades.made) }],
    timeBudget,
  );
  const columnBytes = bytesOf([quickLedger.positions!, quickLedger.days, ...bareColumns.costs, ledger.quantities]);
  return {
    task: `${lotsTask}, cost in ${wanted} currency`,
    size: ledger.days.length,
    timings: [...quick, ...slow],
    memory: [
      { name: implementationNames.ours, inputBytes: columnBytes, stateBytes: ours.bytes },
      { name: implementationNames.decimal, inputBytes: trades.bytes, stateBytes: decimals.bytes },
    ],
  };
}

/**
 * Times the same through the engine's ledger and history, in both currencies. Throws if an answer differs from the quick pass.
 */
export function measurePositions(ledger: GeneratedLedger): EngineMeasurement {
  const facts = engineFactsOf(ledger);
  const lastDay = ledger.days.at(-1)!;
  const { totals } = holdfastLots(quickLedgerOf(ledger, 'trade'), ledger.positions.length);
  const retained = retainedBytes(() => holdfastPositions(facts, lastDay));
  for (const [position, { quantity, cost }] of totals.entries()) {
    const name = positionName(ledger, position);
    const quantityAndCost = retained.made.quantitiesAndCosts.get(name);
    if ((quantityAndCost?.quantity ?? 0n) !== quantity || (quantityAndCost?.cost ?? 0n) !== cost)
      throw new Error(`${name}: ${fromFixed(cost)}, through a history ${fromFixed(quantityAndCost?.cost ?? 0n)}.`);
  }
  return {
    task: `${lotsTask} through a history`,
    size: ledger.days.length,
    timings: timeInTurns(
      [{ name: implementationNames.ours, run: () => holdfastPositions(facts, lastDay) }],
      timeBudget,
    ),
    memory: [{ name: implementationNames.ours, inputBytes: facts.ledger.bytes(), stateBytes: retained.bytes }],
  };
}

function bytesOf(columns: readonly (Int32Array | Float64Array)[]): number {
  return columns.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

function compareWithDecimals(
  ours: readonly QuantityAndCost[],
  totalOf: (position: number) => DecimalTotal | undefined,
): void {
  for (const [position, { quantity, cost, referenceCost }] of ours.entries()) {
    const total = totalOf(position);
    const pairs = [
      [quantity, total?.quantity],
      [cost, total?.cost],
      [referenceCost, total?.referenceCost ?? total?.cost],
    ] as const;
    for (const [own, other] of pairs) {
      const text = (other ?? new Decimal(0)).toFixed();
      if (fromFixed(own) !== text) throw new Error(`Position ${position}: ${fromFixed(own)}, decimal.js ${text}.`);
    }
  }
}

/** The accepted relative error of a sum of doubles. */
const bareTolerance = 1e-9;

function compareWithBare(ours: readonly QuantityAndCost[], bare: BareTotals): void {
  for (const [position, { quantity, cost, referenceCost }] of ours.entries()) {
    const pairs = [
      [quantity, bare.quantities[position]! / 10 ** places.quantity],
      ...[cost, referenceCost].map((own, index) => {
        const column = bare.costs[index] ?? bare.costs[0]!;
        return [own, column[position]! / 10 ** places.amount] as const;
      }),
    ] as const;
    for (const [own, other] of pairs) {
      const size = Math.max(1, Math.abs(other));
      if (!(Math.abs(Number(own) / 1e18 - other) <= bareTolerance * size))
        throw new Error(`Position ${position}: ${fromFixed(own)}, in doubles ${other}.`);
    }
  }
}
