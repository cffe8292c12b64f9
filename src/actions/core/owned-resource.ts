// What may happen to a thing that belongs to one client for life: it hangs below what is there, and is joined to things of
// the same client only.

import type { Id } from '../../kit/id.ts';
import type { AnyChange, AnyRecord, ChangeOf, Resource } from '../../kit/resource.ts';
import { clientIdOf, writableLinkNames } from '../../kit/resource.ts';
import type { RefusalCode } from '../../model/refusals/refusals.ts';
import { holdOwner, holdReferences } from './reference.ts';
import type { ChangeRules, WriteRules } from './resource.ts';
import type { Work } from './work.ts';

export interface OwnedRulesOptions<R extends Resource> {
  /** What a new thing has where nothing was asked for. */
  defaults?(input: ChangeOf<R>): AnyChange;
  prepare?: NonNullable<ChangeRules<R>['prepare']>;
  readonly refusals?: readonly RefusalCode[];
}

function ownershipOf({ type, owner }: Resource): { relation: string; from: string } {
  if (typeof owner === 'string' || owner.from === undefined) throw new Error(`A ${type} is not owned for life.`);
  return { relation: owner.relation, from: owner.from };
}

export function ownedRules<R extends Resource>(resource: R, options: OwnedRulesOptions<R> = {}): WriteRules<R> {
  const { relation, from } = ownershipOf(resource);
  const hasLinks = writableLinkNames(resource, resource.relations).length > 0;
  return {
    resource,
    refusals: [...(hasLinks ? (['different-client'] as const) : []), ...(options.refusals ?? [])],
    ...(options.prepare ? { prepare: options.prepare } : {}),
    async create(work: Work, input: ChangeOf<R>) {
      const { [from]: ownerId, ...others } = input as AnyChange;
      const client = await holdOwner(work, resource, from, ownerId as Id);
      if (writableLinkNames(resource, others).length > 0) work.store.clientHierarchy.lockLinks(client, 'to-add');
      await holdReferences(work, resource, { client, input: others });
      return { ...options.defaults?.(input), ...input, [relation]: client, createdAt: new Date(work.now) };
    },
    async change(work: Work, present, input: ChangeOf<R>) {
      const client = clientIdOf(resource, present as AnyRecord)!;
      await holdReferences(work, resource, { client, input: input as AnyChange });
      return input as AnyChange;
    },
  };
}
