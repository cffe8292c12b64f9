// The history of the reference portfolio and what its reports share: coverage, segments, and figures in the file's format.

import { History } from '../../../src/engine/history/history.ts';
import type { Coverage } from '../../../src/engine/history/holdings.ts';
import type { DatedFlow } from '../../../src/engine/returns/money-weighted/net-flows.ts';
import { findSyntheticInstrument, type PositionKey } from '../../../src/engine/ledger/position-key.ts';
import type { HoldingPlace } from '../../../src/engine/ledger/transaction.ts';
import { fromDayNumber } from '../../../src/kit/calendar-date.ts';
import type { Day } from '../../../src/kit/day.ts';
import { fromFixed, type Fixed } from '../../../src/kit/fixed.ts';
import { toEngineFacts } from './reference-facts.ts';
import type { ReferenceAxis, ReferenceFacts, Tree } from './reference-portfolio.ts';

export function dateText(day: Day | null): string | null {
  return day === null ? null : fromDayNumber(day);
}

export function ratioNumber(value: Fixed | null): number | null {
  return value === null ? null : Number(fromFixed(value));
}

export function sumText(amounts: readonly Fixed[]): string {
  return fromFixed(amounts.reduce((sum, amount) => sum + amount, 0n));
}

export function flowTree({ day, amount }: DatedFlow): Tree {
  return [fromDayNumber(day), fromFixed(amount)];
}

export class ReferenceWorld {
  readonly facts: ReferenceFacts;
  readonly history: History;

  constructor(facts: ReferenceFacts) {
    this.facts = facts;
    this.history = new History(toEngineFacts(facts));
  }

  /** The reporting entity includes all portfolios. */
  readonly covers: Coverage = (place) => this.portfolios(place).length > 0;

  portfolios({ account, depository }: HoldingPlace): string[] {
    const holds = (names: readonly string[], name: string | null): boolean => name !== null && names.includes(name);
    return this.facts.structure.portfolios
      .filter((one) => holds(one.accounts, account) || holds(one.depositories, depository))
      .map(({ id }) => id);
  }

  classPath(instrument: string): readonly string[] {
    if (findSyntheticInstrument(instrument) !== undefined) return this.facts.cashClass;
    return this.facts.instruments.find(({ id }) => id === instrument)!.class;
  }

  segments(key: PositionKey): Record<ReferenceAxis, readonly string[]> {
    return {
      instrument: [key.instrument],
      class: [this.classPath(key.instrument)[0]!],
      depository: [key.depository ?? 'none'],
      portfolio: this.portfolios(key),
    };
  }
}
