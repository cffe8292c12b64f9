// The class that an instrument is counted in while it states none: the default class of its type.

import type { Id } from '../../kit/id.ts';
import { builtInTypes } from '../../model/instrument/built-in.ts';
import type { Instrument, InstrumentType } from '../../model/instrument/instrument.ts';
import type { DefaultClass } from '../../store/resources/class-tree.ts';
import type { Work } from '../core/work.ts';

export class DefaultClasses {
  readonly #classes: readonly DefaultClass[];

  constructor(classes: readonly DefaultClass[]) {
    this.#classes = classes;
  }

  /** Null if the type has none. Money falls back to the oldest root class for cash. */
  classOf(type: InstrumentType): Id | null {
    const named = this.#classes.find(({ defaultFor }) => defaultFor.includes(type));
    if (named !== undefined) return named.id;
    return isMoney(type) ? (this.#classes.find(({ isCashRoot }) => isCashRoot)?.id ?? null) : null;
  }

  /** The types whose default class this is. */
  typesOf(id: unknown): readonly InstrumentType[] {
    return (this.#classes.find((one) => one.id === id)?.defaultFor ?? []) as readonly InstrumentType[];
  }

  /** The instrument with the class it is counted in. */
  withClass(one: Instrument): Instrument {
    return one.instrumentClass === null ? { ...one, instrumentClass: this.classOf(one.type) } : one;
  }
}

/** Whatever is unidentified has no class. */
function isMoney(type: InstrumentType): boolean {
  const [cash, feesOwed] = builtInTypes;
  return type === cash.type || type === feesOwed.type;
}

export async function readDefaultClasses({ store }: Work): Promise<DefaultClasses> {
  return new DefaultClasses(await store.classTree.listDefaults());
}
