// The positions of a set of facts, numbered: which depository a row without one means, whose units an upload speaks of. Knows
// no quantity.

import type { Currency } from '../currencies/exchange-rates.ts';
import type { AccountFacts, Upload } from '../history/facts.ts';
import { cashInstrument, feesOwedInstrument, findSynthetic, positionText, type PositionKey } from './position-key.ts';

export class PositionTable {
  readonly #accounts: ReadonlyMap<string, AccountFacts>;
  readonly #accountsOf = new Map<string, string[]>();
  readonly #positions: PositionKey[] = [];
  readonly #numbers = new Map<string, number>();
  #inOrder: readonly number[] = [];

  constructor(accounts: ReadonlyMap<string, AccountFacts>) {
    this.#accounts = accounts;
    for (const [account, { depositories }] of accounts) {
      for (const depository of depositories) {
        this.#accountsOf.set(depository, [...(this.#accountsOf.get(depository) ?? []), account]);
      }
    }
  }

  get positions(): readonly PositionKey[] {
    return this.#positions;
  }

  get count(): number {
    return this.#positions.length;
  }

  key(position: number): PositionKey {
    return this.#positions[position]!;
  }

  /** All of them, in the order of instrument, account and depository. */
  inOrder(): readonly number[] {
    if (this.#inOrder.length !== this.count) {
      this.#inOrder = [...this.#positions.keys()].toSorted((one, other) => compareKeys(this.key(one), this.key(other)));
    }
    return this.#inOrder;
  }

  /** A position as a row names it: where no depository is named, the account's only one is meant. Cash lies in none. */
  number({ account, depository, instrument }: PositionKey): number {
    if (findSynthetic(instrument) !== undefined) return this.#intern({ account, depository: null, instrument });
    return this.#intern({ account, depository: depository ?? this.#onlyDepository(account), instrument });
  }

  /** Where it is known as it stands. */
  find(key: PositionKey): number | undefined {
    return this.#numbers.get(positionText(key));
  }

  cash(account: string, currency: Currency): number {
    return this.#intern({ account, depository: null, instrument: cashInstrument(currency) });
  }

  /** Uploaded units belong to the depository's only account, else to the depository alone. */
  uploaded(upload: Upload): number {
    if (upload.kind === 'units') {
      const { depository, instrument } = upload;
      const [account = null, ...others] = this.#accountsOf.get(depository) ?? [];
      return this.#intern({ account: others.length === 0 ? account : null, depository, instrument });
    }
    const { account, kind } = upload;
    const { currency } = this.#accounts.get(account)!;
    const instrument = kind === 'cash' ? cashInstrument(currency) : feesOwedInstrument(currency);
    return this.#intern({ account, depository: null, instrument });
  }

  #onlyDepository(account: string | null): string | null {
    const depositories = account === null ? undefined : this.#accounts.get(account)?.depositories;
    return depositories?.length === 1 ? depositories[0]! : null;
  }

  #intern(key: PositionKey): number {
    const text = positionText(key);
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#positions.push(key) - 1);
    return this.#positions.length - 1;
  }
}

function compareKeys(one: PositionKey, other: PositionKey): number {
  return (
    compareText(one.instrument, other.instrument) ||
    compareText(one.account ?? '', other.account ?? '') ||
    compareText(one.depository ?? '', other.depository ?? '')
  );
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
