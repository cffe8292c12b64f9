// Finds the class that an instrument is counted in, and the classes above it: its own, else the default class of its type.

import type { Id } from '../../../kit/id.ts';
import { findBuiltInInstrument } from '../../../model/instrument/built-in.ts';
import type { Instrument } from '../../../model/instrument/instrument.ts';

export interface ClassNode {
  readonly id: Id;
  readonly name: string;
  readonly parent: Id | null;
  readonly assetClass: string;
  readonly stalenessDays: number;
  /** The types of instruments that it is the default class of. */
  readonly defaultFor: readonly string[];
}

/** From the root down. */
type ClassPath = readonly ClassNode[];

type ClassedInstrument = Pick<Instrument, 'type' | 'instrumentClass'>;

export class ClassLookup {
  readonly #paths = new Map<string, ClassPath>();
  readonly #instrumentOf: (id: string) => ClassedInstrument | undefined;
  readonly #defaultPaths = new Map<string, ClassPath>();
  /** For money where no class is its default. */
  readonly #cash: ClassPath;
  readonly #names = new Set<string>();
  readonly #pathNames = new Set<string>();

  /** Takes classes in the order of their ids. */
  constructor(classes: readonly ClassNode[], instrumentOf: (id: string) => ClassedInstrument | undefined) {
    this.#instrumentOf = instrumentOf;
    const byId = new Map<string, ClassNode>(classes.map((one) => [one.id, one]));
    for (const one of classes) {
      const path = pathOf(one, byId);
      this.#paths.set(one.id, path);
      this.#names.add(one.name);
      this.#pathNames.add(JSON.stringify(path.map(({ name }) => name)));
      for (const type of one.defaultFor) this.#defaultPaths.set(type, path);
    }
    const cash = classes.find(({ parent, assetClass }) => parent === null && assetClass === 'cash');
    this.#cash = cash === undefined ? [] : [cash];
  }

  /** Empty if it has no class. */
  pathOf(instrument: string): ClassPath {
    const known = this.#instrumentOf(instrument);
    if (known !== undefined) return this.pathOfInstrument(known);
    const builtIn = findBuiltInInstrument(instrument);
    if (builtIn === undefined) return [];
    return this.#defaultPaths.get(builtIn.type) ?? (builtIn.currency === null ? [] : this.#cash);
  }

  pathOfInstrument({ type, instrumentClass }: ClassedInstrument): ClassPath {
    const own = instrumentClass === null ? undefined : this.#paths.get(instrumentClass);
    return own ?? this.#defaultPaths.get(type) ?? [];
  }

  /** Whether there is a class with these names from the root down. */
  hasPath(names: readonly string[]): boolean {
    return this.#pathNames.has(JSON.stringify(names));
  }

  /** Whether a class at any level has the name. */
  hasName(name: string): boolean {
    return this.#names.has(name);
  }

  path(id: string): ClassPath {
    return this.#paths.get(id) ?? [];
  }
}

function pathOf(one: ClassNode, byId: ReadonlyMap<string, ClassNode>): ClassPath {
  const path = [one];
  for (let parentId = one.parent; parentId !== null;) {
    const node = byId.get(parentId);
    if (node === undefined) break;
    path.unshift(node);
    parentId = node.parent;
  }
  return path;
}
