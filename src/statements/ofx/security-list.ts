// Holds back what names securities until the list of securities at the end of the file has said what they are.

import { ownData } from '../../kit/memory/own-text.ts';
import type { NamedInstrument, StatementItem } from '../../model/custody/statement.ts';
import type { EmitItem } from '../format-reader.ts';

/** Beyond this many, items are passed on as they are: a file may have any number. */
const heldMax = 20_000;
/** Identifiers of securities that are kept for what is held back. */
const identifiersMax = 50_000;

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
      this.#list(item.instrument);
      this.#emit(item);
    } else if (this.#held === undefined) this.#emit(item);
    else {
      this.#held.push(ownData(item));
      this.#isFull = this.#held.length >= heldMax;
      if (this.#isFull) this.release();
    }
  }

  #list(instrument: NamedInstrument): void {
    if (this.#isFull || this.#securities.size >= identifiersMax) return;
    const own = ownData(instrument);
    for (const key of keysOf(own)) this.#securities.set(key, own);
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
