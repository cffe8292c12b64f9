// Numbers the positions of a set of facts, and decides which depository a row without one means and whose units an upload states.

import type { IsoCurrency } from '../currencies/exchange-rates.ts';
import type { AccountFacts, Upload } from '../history/facts.ts';
import {
  cashInstrument,
  feesOwedInstrument,
  findSyntheticInstrument,
  positionKeyText,
  type PositionKey,
} from './position-key.ts';

export class PositionTable {
  readonly #accounts: ReadonlyMap<string, AccountFacts>;
  readonly #accountsByDepository = new Map<string, string[]>();
  readonly #positions: PositionKey[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #byInstrument = new Map<string, number[]>();
  #sortedPositions: readonly number[] = [];

  constructor(accounts: ReadonlyMap<string, AccountFacts>) {
    this.#accounts = accounts;
    for (const [account, { depositories }] of accounts) {
      for (const depository of depositories) {
        this.#accountsByDepository.set(depository, [...(this.#accountsByDepository.get(depository) ?? []), account]);
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

  /** The positions in an instrument, in the order of their numbers. */
  positionsIn(instrument: string): readonly number[] {
    return this.#byInstrument.get(instrument) ?? [];
  }

  /** All positions, ordered by instrument, account and depository. */
  sortedPositions(): readonly number[] {
    if (this.#sortedPositions.length !== this.count) {
      this.#sortedPositions = this.#sorted([...this.#positions.keys()]);
    }
    return this.#sortedPositions;
  }

  /** The positions in an instrument, ordered by account and depository. */
  sortedPositionsIn(instrument: string): readonly number[] {
    return this.#sorted(this.positionsIn(instrument));
  }

  #sorted(positions: readonly number[]): readonly number[] {
    return positions.toSorted((one, other) => compareKeys(this.key(one), this.key(other)));
  }

  /** Returns the position that a row names. Without a depository, the account's only one is meant. Cash is in none. */
  positionNumber({ account, depository, instrument }: PositionKey): number {
    if (findSyntheticInstrument(instrument) !== undefined)
      return this.#intern({ account, depository: null, instrument });
    return this.#intern({ account, depository: depository ?? this.#onlyDepository(account), instrument });
  }

  /** Looks the key up as it is given. */
  find(key: PositionKey): number | undefined {
    return this.#numbers.get(positionKeyText(key));
  }

  cashPosition(account: string, currency: IsoCurrency): number {
    return this.#intern({ account, depository: null, instrument: cashInstrument(currency) });
  }

  /** Uploaded units belong to the depository's only account, else to the depository alone. */
  uploadedPosition(upload: Upload): number {
    if (upload.kind === 'units') {
      const { depository, instrument } = upload;
      const [account = null, ...others] = this.#accountsByDepository.get(depository) ?? [];
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
    const text = positionKeyText(key);
    const existing = this.#numbers.get(text);
    if (existing !== undefined) return existing;
    const number = this.#positions.push(key) - 1;
    this.#numbers.set(text, number);
    this.#byInstrument.getOrInsertComputed(key.instrument, () => []).push(number);
    return number;
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
