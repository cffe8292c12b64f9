// What the engine has found about facts and values, in the words of the service: where, when, how much, and which transactions and
// uploads it is about. Knows no wire and no order.

import type { Day } from '../../../kit/day.ts';
import type { Finding } from '../../../engine/history/findings.ts';
import { holdings, lotsOf } from '../../../engine/history/holdings.ts';
import type { PositionKey } from '../../../engine/ledger/position-key.ts';
import type { ValuationFinding } from '../../../engine/valuation/valuation.ts';
import { findingTerms, type FindingCode, type ReportedFinding } from '../../../model/report/finding.ts';
import { placeOf } from '../lots.ts';
import type { ReportScope } from '../report-basis.ts';
import { UploadIds } from './upload-lookup.ts';

/** A finding whose transactions are still numbers. */
export interface FoundFinding extends Omit<ReportedFinding, 'severity' | 'detail' | 'remedy' | 'transactionIds'> {
  readonly rows: readonly number[];
}

export const nothingTold = {
  accountId: null,
  depositoryId: null,
  instrumentId: null,
  date: null,
  quantity: null,
  amount: null,
  currency: null,
  toCurrency: null,
  historicalHoldingIds: [],
  rows: [],
} as const satisfies Omit<FoundFinding, 'code'>;

export interface FindingSetting {
  readonly day: Day;
  /** Whether amounts can be told: where a rate is missing, no value is right. */
  readonly amounts: 'told' | 'unknown';
}

export class FindingWords {
  readonly #scope: ReportScope;
  readonly #setting: FindingSetting;
  readonly #uploads: UploadIds;

  constructor(scope: ReportScope, setting: FindingSetting) {
    this.#scope = scope;
    this.#setting = setting;
    this.#uploads = new UploadIds(scope);
  }

  tell(found: Finding): FoundFinding {
    const { position } = found;
    switch (found.kind) {
      case 'about-value':
        return this.#aboutValue(found.finding, position);
      case 'stale-value':
      case 'estimated-value':
        return { ...this.#at(found.kind, position), date: found.day, ...this.#valueOf(position) };
      case 'settlement-not-booked':
        return { ...this.#at(found.kind, position), date: found.day };
      case 'short':
      case 'overdrawn':
      case 'unidentified':
        return { ...this.#at(found.kind, position), quantity: found.quantity, ...this.#rowsIf(found) };
      case 'settles-after-upload':
        return {
          ...this.#at(found.kind, position),
          date: found.day,
          rows: [found.row],
          historicalHoldingIds: this.#uploadsBetween(position, found),
        };
      case 'implied-flow': {
        const { day: date, quantity } = found;
        return {
          ...this.#at(found.kind, position),
          date,
          quantity,
          historicalHoldingIds: this.#uploadsOn(position, date),
        };
      }
      default:
        return { ...this.#at(found.kind, position), date: found.day, quantity: found.quantity, rows: [found.row] };
    }
  }

  /** Transactions whose amount is more or less than what they state. */
  unexplained(): readonly FoundFinding[] {
    const { history, places } = this.#scope;
    return this.#scope.listUnexplained().flatMap(({ number, day, amount }) => {
      const row = history.facts.ledger.find({ row: number, day });
      if (row === undefined || row.instrument === null || day > this.#setting.day) return [];
      const { account, depository, instrument, currency } = row;
      const position = history.table.number({ account, depository, instrument });
      if (!places.covers(history.key(position))) return [];
      return [{ ...this.#at('unexplained-difference', position), date: day, amount, currency, rows: [number] }];
    });
  }

  /** Of each position the open lots whose cost is a guess. */
  estimatedCosts(): readonly FoundFinding[] {
    const { history, places } = this.#scope;
    const { day } = this.#setting;
    return holdings(history, { day, covers: places.covers }).flatMap((holding) => {
      const lots = lotsOf(history, holding, day).lots.filter(({ isEstimated }) => isEstimated);
      if (lots.length === 0) return [];
      const found = this.#at('estimated-cost', holding.position);
      const quantity = lots.reduce((sum, lot) => sum + lot.quantity, 0n);
      const cost = lots.reduce((sum, lot) => sum + lot.cost, 0n);
      return [
        {
          ...found,
          date: lots[0]!.acquired,
          quantity,
          ...this.#money(cost, history.instrument(holding.position).currency),
          rows: lots.map(({ row }) => row),
          historicalHoldingIds: lots.flatMap(({ acquired }) => this.#uploadsOn(holding.position, acquired)),
        },
      ];
    });
  }

  /** With the ids of the transactions, and what each code says. */
  finish(found: readonly FoundFinding[]): ReportedFinding[] {
    const ids = this.#scope.idsOf(found.flatMap(({ rows }) => rows));
    return found.map(({ rows, code, ...one }) => ({
      code,
      ...findingTerms[code],
      ...one,
      transactionIds: [...new Set(rows.flatMap((row) => ids.get(row) ?? []))],
    }));
  }

  #at(code: FindingCode, position: number): FoundFinding {
    return { ...nothingTold, code, ...placeOf(this.#scope.history.key(position)) };
  }

  #aboutValue(found: ValuationFinding, position: number): FoundFinding {
    const at = this.#at(found.kind, position);
    const { valuation } = this.#scope.history.value(position, this.#setting.day);
    switch (found.kind) {
      case 'coupon-not-booked':
        return { ...at, date: found.couponDate, ...this.#money(found.amount, valuation.currency) };
      case 'matured':
        return { ...at, date: found.maturity };
      case 'paid-out-beyond-value':
        return { ...at, date: valuation.day, ...this.#money(found.amount, valuation.currency) };
      case 'index-factor-missing':
      case 'index-base-assumed':
        return { ...at, date: found.day };
      default:
        return at;
    }
  }

  #valueOf(position: number): Pick<FoundFinding, 'amount' | 'currency'> {
    const { value, currency } = this.#scope.history.value(position, this.#setting.day).valuation;
    return this.#money(value, currency);
  }

  #money(amount: bigint, currency: string): Pick<FoundFinding, 'amount' | 'currency'> {
    return this.#setting.amounts === 'told' ? { amount, currency } : { amount: null, currency: null };
  }

  /** What was not named is mended where it was booked. */
  #rowsIf({ kind, position }: Finding): Pick<FoundFinding, 'rows'> {
    if (kind !== 'unidentified') return { rows: [] };
    const { rows, byPosition } = this.#scope.history;
    const own = Array.from(byPosition.of(position)).filter((row) => rows.days[row]! <= this.#setting.day);
    return { rows: own.map((row) => rows.numbers[row]!) };
  }

  #uploadsOn(position: number, day: Day): readonly string[] {
    const key: PositionKey = this.#scope.history.key(position);
    const found = this.#uploads.find(key, day);
    return found === null ? [] : [found];
  }

  #uploadsBetween(position: number, { day, settlement }: { readonly day: Day; readonly settlement: Day }): string[] {
    const stated = this.#scope.history.checkpoints.get(position) ?? [];
    return stated
      .filter((upload) => day <= upload.day && upload.day < settlement)
      .flatMap((upload) => this.#uploadsOn(position, upload.day));
  }
}
