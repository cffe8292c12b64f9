// Finds where a position's numbers come from: its rows, uploads and lots.

import { isFundPayment, traitsOfKind } from '../../model/ledger/kind-traits.ts';
import type { Day } from '../../kit/day.ts';
import type { InterestRate } from '../instruments/accrued-interest.ts';
import type { History } from '../history/history.ts';
import type { DatedLeg } from '../history/unit-replay.ts';
import type { InstrumentTerms } from '../instruments/instrument.ts';
import { findSyntheticInstrument, type PositionKey } from '../ledger/position-key.ts';
import type { Point } from '../amounts/series.ts';
import type { LedgerTransaction } from '../ledger/transaction.ts';
import { explainBalance } from './balance.ts';
import { explainLots } from './lots/cost.ts';
import type { FigureSource } from './figure.ts';
import type { ValueSources } from './value-part.ts';

export function valueSources(history: History, position: number, day: Day): ValueSources {
  const { terms } = history.instrument(position);
  return {
    rate: rateOf(terms),
    findUpload: (on) => history.values.uploads(position).find((one) => one.day === on),
    ...(findSyntheticInstrument(history.key(position).instrument) && {
      explainBalance: () => explainBalance(history, position, day),
    }),
    explainCost: () => explainLots(history, { position, day, field: 'cost' }),
    flowSource: (flow) => flowSource(history, position, flow),
  };
}

function rateOf(terms: InstrumentTerms): InterestRate | undefined {
  return 'rate' in terms ? terms.rate : undefined;
}

/** The source of a call or distribution that moved no units, wherever it was booked. */
function flowSource(history: History, position: number, { day, value }: Point): FigureSource {
  const { instrument: id } = history.key(position);
  const rows = [...history.facts.ledger.transactions({ from: day, to: day })].filter(
    ({ kind, instrument, quantity, value: money }) =>
      instrument === id &&
      quantity === 0n &&
      money === (traitsOfKind(kind).fund === 'distribution' ? -value : value) &&
      isFundPayment(kind),
  );
  return rows.length === 1 ? { kind: 'row', row: rows[0]!.row } : { kind: 'rows', day };
}

/** Sources of moved units: as held at the end of the day, or on the day before if all have left. */
export function legSources(history: History, position: number, day: Day): ValueSources {
  const isHeld = (on: Day): boolean => history.units(position).valueOn(on) !== 0n;
  const { explainCost, ...rest } = valueSources(history, position, isHeld(day) ? day : day - 1);
  return explainCost && (isHeld(day) || isHeld(day - 1)) ? { ...rest, explainCost } : rest;
}

/** The row behind a flow beyond the amounts of rows; if several are possible, their day. */
export function legSource(history: History, { position, day }: DatedLeg): FigureSource {
  const key = history.key(position);
  const rows = [...history.facts.ledger.transactions({ from: day, to: day })].filter((row) => isMovementOf(row, key));
  if (rows.length === 1) return { kind: 'row', row: rows[0]!.row };
  const isUploaded = history.checkpoints.get(position)?.some((one) => one.day === day) === true;
  return rows.length === 0 && isUploaded ? { kind: 'upload', day } : { kind: 'rows', day };
}

/** Whether a row moves more of a position than its amount. */
function isMovementOf({ account, instrument, quantity, kind, details }: LedgerTransaction, key: PositionKey): boolean {
  const { counterCash, counterPlace, action } = details ?? {};
  const money = findSyntheticInstrument(key.instrument);
  if (money !== undefined) {
    const isPaid = money.kind === 'fees-owed' && traitsOfKind(kind).amount === 'charge' && account === key.account;
    return isPaid || (counterCash?.account === key.account && counterCash?.currency === money.currency);
  }
  if (action !== undefined)
    return instrument === key.instrument || ('target' in action && action.target === key.instrument);
  if (instrument !== key.instrument) return false;
  if (counterCash !== undefined) return account === key.account;
  const isSameAccount = account === key.account || counterPlace?.account === key.account;
  return traitsOfKind(kind).units === 'delivered' && quantity !== 0n && isSameAccount;
}
