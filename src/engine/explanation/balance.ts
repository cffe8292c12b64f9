// Explains a balance of cash or of fees owed: what it was before its last change, and what changed it.

import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import type { History } from '../history/history.ts';
import { findSyntheticInstrument } from '../ledger/position-key.ts';
import { amountFigure, sumOperands, type Figure, type FigureSource, positionSource } from './figure.ts';

/** To continue, ask for the day of the balance that it starts with. */
export function explainBalance(history: History, position: number, day: Day): Figure {
  const steps = history.units(position);
  const { currency: unit } = history.instrument(position);
  const value = steps.valueOn(day);
  const lastChangeDay = steps.days.findLast((one) => one <= day);
  if (lastChangeDay === undefined) return amountFigure('balance', value, { unit, day });
  if (history.checkpoints.get(position)?.some((one) => one.day === lastChangeDay)) {
    return amountFigure('balance', value, { unit, day: lastChangeDay, source: { kind: 'upload', day: lastChangeDay } });
  }
  const before = amountFigure('balance', steps.valueOn(lastChangeDay - 1), { unit, day: lastChangeDay - 1 });
  const terms = movementsOn(history, position, lastChangeDay).map(({ amount, source }) =>
    amountFigure('movement', amount, { unit, day: lastChangeDay, source }),
  );
  return amountFigure('balance', value, {
    unit,
    day,
    source: positionSource(history.key(position)),
    ...sumOperands([before, ...terms]),
  });
}

interface SourcedMovement {
  readonly amount: Fixed;
  readonly source: FigureSource;
}

function movementsOn(history: History, position: number, day: Day): readonly SourcedMovement[] {
  const { kind, currency } = findSyntheticInstrument(history.key(position).instrument)!;
  if (kind === 'fees-owed') return feePaymentsOn(history, position, day);
  const { account } = history.key(position);
  const movements: SourcedMovement[] = [];
  for (const row of history.facts.ledger.transactions({ from: day, to: day })) {
    const source = { kind: 'row', row: row.row } as const;
    if (row.account === account && row.currency === currency) movements.push({ amount: row.amount, source });
    const counterCash = row.details?.counterCash;
    if (counterCash?.account === account && counterCash.currency === currency)
      movements.push({ amount: counterCash.amount, source });
  }
  return movements.filter(({ amount }) => amount !== 0n);
}

/** The part of the fees owed that payments settled. */
function feePaymentsOn(history: History, position: number, day: Day): readonly SourcedMovement[] {
  const source = { kind: 'rows', day } as const;
  return history
    .money(position)
    .legs.flatMap((leg) =>
      leg.measure === 'cash' && leg.position === position && leg.day === day ? [{ amount: leg.amount, source }] : [],
    );
}
