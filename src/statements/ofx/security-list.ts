// Holds back what names securities until the list of securities at the end of the file has said what they are.

import type { NamedInstrument, StatementItem } from '../../model/custody/statement.ts';
import type { EmitItem } from '../format-reader.ts';

/** Beyond this many, items are passed on as they are: a file may have any number. */
const heldMax = 20_000;

const identifiers = ['isin', 'cusip', 'sedol', 'custodianCode', 'ticker'] as const;

function keysOf(instrument: NamedInstrument): readonly string[] {
  return identifiers.flatMap((name) => (instrument[name] === undefined ? [] : `${name}:${instrument[name]}`));
}

export class SecurityList {
  readonly #emit: EmitItem;
  readonly #securities = new Map<string, NamedInstrument>();
  #held: StatementItem[] | undefined;
  #isFull = false;

  constructor(emit: EmitItem) {
    this.#emit = emit;
  }

  /** From now on; statements of bank accounts name no securities. */
  holdBack(): void {
    if (!this.#isFull) this.#held ??= [];
  }

  /** Passes on an instrument of the list at once, so that it comes before what names it. */
  take(item: StatementItem): void {
    if (item.item === 'instrument') {
      for (const key of keysOf(item.instrument)) this.#securities.set(key, item.instrument);
      this.#emit(item);
    } else if (this.#held === undefined) this.#emit(item);
    else {
      this.#held.push(item);
      this.#isFull = this.#held.length >= heldMax;
      if (this.#isFull) this.release();
    }
  }

  /** Passes on everything that was held back. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const item of held) this.#emit(this.#completed(item));
  }

  /** With what the list says about its instrument. */
  #completed(item: StatementItem): StatementItem {
    if ((item.item !== 'entry' && item.item !== 'position') || item.instrument === undefined) return item;
    const [key = ''] = keysOf(item.instrument);
    const listed = this.#securities.get(key);
    return listed === undefined ? item : { ...item, instrument: { ...listed, ...item.instrument } };
  }
}
