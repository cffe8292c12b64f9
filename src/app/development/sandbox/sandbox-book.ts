// The books of one account at the sandbox: what it holds at the end of each day, as known so far. A late, changed or cancelled booking
// changes the days since.

import { defined } from '../../../kit/assert.ts';
import type { Day } from '../../../kit/day.ts';
import { lastDay } from '../../../actions/demo/demo-days.ts';
import type { ListedName } from '../../../actions/demo/demo-market.ts';
import type { SandboxAccount } from './sandbox-banks.ts';

/** Amounts are in hundredths, signs those of the account. */
export interface SandboxBooking {
  readonly reference: string;
  readonly account: SandboxAccount;
  readonly type: 'trade' | 'flow' | 'fx' | 'dividend' | 'coupon' | 'interest' | 'fee';
  readonly day: Day;
  readonly cash: number;
  readonly instrument?: ListedName;
  readonly units?: number;
  readonly price?: number;
  readonly fees?: number;
  readonly taxes?: number;
  readonly counter?: { readonly account: SandboxAccount; readonly cash: number };
  readonly comment?: string;
  /** The reference of the booking that this one takes back. */
  readonly cancels?: string;
}

export class SandboxBook {
  /** By days since the last of the demo. */
  readonly #cash: number[];
  readonly #units = new Map<ListedName, number[]>();

  constructor({ openingCash, openingUnits }: SandboxAccount) {
    this.#cash = [openingCash];
    for (const [name, units] of openingUnits) this.#units.set(name, [units]);
  }

  /** Begins the next day with what the last one ended with. */
  openDay(): void {
    this.#cash.push(defined(this.#cash.at(-1), 'a book has a first day'));
    for (const days of this.#units.values()) days.push(defined(days.at(-1), 'a book has a first day'));
  }

  move(day: Day, cash: number): void {
    for (let index = day - lastDay; index < this.#cash.length; index++) this.#cash[index]! += cash;
  }

  moveUnits(day: Day, name: ListedName, units: number): void {
    const days = this.#units.get(name) ?? Array.from(this.#cash, () => 0);
    this.#units.set(name, days);
    for (let index = day - lastDay; index < days.length; index++) days[index]! += units;
  }

  cashOn(day: Day): number {
    return defined(this.#cash[day - lastDay], 'the day was opened');
  }

  unitsOn(day: Day, name: ListedName): number {
    return this.#units.get(name)?.[day - lastDay] ?? 0;
  }

  /** Held now, or on some day before. */
  get instruments(): readonly ListedName[] {
    return [...this.#units.keys()];
  }
}
