// Finds an instrument's class and the classes above it. Cash belongs to the class for cash.

import type { Id } from '../../../kit/id.ts';
import { findSyntheticInstrument } from '../../../engine/ledger/position-key.ts';

export interface ClassNode {
  readonly id: Id;
  readonly name: string;
  readonly parent: Id | null;
  readonly assetClass: string;
  readonly stalenessDays: number;
}

/** From the root down. */
type ClassPath = readonly ClassNode[];

export class ClassLookup {
  readonly #paths = new Map<string, ClassPath>();
  readonly #classOf: (instrument: string) => string | null;
  readonly #cash: ClassPath;

  /** Takes classes in the order of their ids. */
  constructor(classes: readonly ClassNode[], classOf: (instrument: string) => string | null) {
    this.#classOf = classOf;
    const byId = new Map<string, ClassNode>(classes.map((one) => [one.id, one]));
    for (const one of classes) this.#paths.set(one.id, pathOf(one, byId));
    const cash = classes.find(({ parent, assetClass }) => parent === null && assetClass === 'cash');
    this.#cash = cash === undefined ? [] : [cash];
  }

  /** Empty if it has no class. */
  pathOf(instrument: string): ClassPath {
    if (findSyntheticInstrument(instrument) !== undefined) return this.#cash;
    const id = this.#classOf(instrument);
    return (id === null ? undefined : this.#paths.get(id)) ?? [];
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
