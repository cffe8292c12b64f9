// Notices that the cash of an account would be booked while its trades wait: its balance and its holdings would then be those of no day.

import { tradesUnits } from '../../model/ledger/kind-traits.ts';
import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { StatementEntry } from '../../model/custody/statement.ts';
import type { RowResult, RowSource } from '../../store/imports/import-rows.ts';

interface AccountRows {
  cash: number;
  trades: number;
}

/** It names what it moves. A row whose word nobody knows yet may be a trade if it says units. */
function isTrade({ kind, instrument, quantity }: StatementEntry, needs: string | null): boolean {
  if (instrument === undefined) return false;
  return tradesUnits(kind) || (needs === 'type' && quantity !== undefined);
}

/** The same as `importGroups.listCashWithoutTrades` counts of the rows of a checked import. */
export class CashWithoutTrades {
  readonly #byAccount = new Map<Id, AccountRows>();

  add(rows: readonly (RowSource & RowResult)[]): void {
    for (const { stated, outcome, needs, account } of rows) {
      if (stated.item !== 'entry' || account === null) continue;
      if (outcome === 'needs' && isTrade(stated, needs)) this.#rowsOf(account).trades++;
      const isBooked = outcome === 'booked' || outcome === 'amended';
      if (isBooked && stated.instrument === undefined) this.#rowsOf(account).cash++;
    }
  }

  #rowsOf(account: Id): AccountRows {
    return this.#byAccount.getOrInsertComputed(account, () => ({ cash: 0, trades: 0 }));
  }

  refuse(): void {
    let [cash, trades] = [0, 0];
    for (const rows of this.#byAccount.values()) {
      if (rows.cash === 0 || rows.trades === 0) continue;
      cash += rows.cash;
      trades += rows.trades;
    }
    if (trades === 0) return;
    const figure = (value: number): string => value.toLocaleString('en');
    const detail = `${figure(cash)} rows of cash would be booked without ${figure(trades)} trades of the same accounts, which wait. Nothing was booked. Create or map what the trades name, or book the cash alone.`;
    throw new Refusal('cash-without-trades', detail);
  }
}
