// What may happen to a thing that belongs to one client for life: it hangs below what is there, and is joined to things of
// the same client only.

import type { Id } from '../../kit/id.ts';
import type { AnyChange, AnyRecord, ChangeOf, Resource } from '../../kit/resource.ts';
import { clientOf, linksAmong } from '../../kit/resource.ts';
import type { RefusalCode } from '../../model/refusals/refusals.ts';
import { holdOwner, holdReferred } from './reference.ts';
import type { ChangeRules, WriteRules } from './resource.ts';
import type { Work } from './work.ts';

export interface OwnWays<R extends Resource> {
  /** What a new thing has where nothing was asked for. */
  fill?(asked: ChangeOf<R>): AnyChange;
  prepare?: NonNullable<ChangeRules<R>['prepare']>;
  readonly refusals?: readonly RefusalCode[];
}

function ownershipOf({ type, owner }: Resource): { relation: string; from: string } {
  if (typeof owner === 'string' || owner.from === undefined) throw new Error(`A ${type} is not owned for life.`);
  return { relation: owner.relation, from: owner.from };
}

export function ownedRules<R extends Resource>(resource: R, ways: OwnWays<R> = {}): WriteRules<R> {
  const { relation, from } = ownershipOf(resource);
  const hasLinks = linksAmong(resource, resource.relations).length > 0;
  return {
    resource,
    refusals: [...(hasLinks ? (['different-client'] as const) : []), ...(ways.refusals ?? [])],
    ...(ways.prepare ? { prepare: ways.prepare } : {}),
    async create(work: Work, asked: ChangeOf<R>) {
      const { [from]: above, ...others } = asked as AnyChange;
      const client = await holdOwner(work, resource, from, above as Id);
      if (linksAmong(resource, others).length > 0) work.store.clientTree.lockLinks(client, 'to-add');
      await holdReferred(work, resource, { client, asked: others });
      return { ...ways.fill?.(asked), ...asked, [relation]: client, createdAt: new Date(work.now) };
    },
    async change(work: Work, present, asked: ChangeOf<R>) {
      const client = clientOf(resource, present as AnyRecord)!;
      await holdReferred(work, resource, { client, asked: asked as AnyChange });
      return asked as AnyChange;
    },
  };
}
