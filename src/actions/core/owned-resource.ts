// The rules of records that belong to one client for life: they are created below an existing record, and linked only to records of
// the same client.

import type { Id } from '../../kit/id.ts';
import {
  anyChange,
  clientIdOf,
  writableLinkNames,
  type AnyChange,
  type ChangeOf,
  type Resource,
} from '../../kit/resource.ts';
import type { RefusalCode } from '../../model/refusals/refusals.ts';
import { lockOwned, lockReferences } from './reference.ts';
import type { ChangeRules, WriteRules } from './resource.ts';
import type { Work } from './work.ts';

interface OwnedRulesOptions<R extends Resource> {
  /** The values of a new record for fields that were not sent. */
  defaults?(input: ChangeOf<R>): AnyChange;
  prepare?: NonNullable<ChangeRules<R>['prepare']>;
  readonly refusals?: readonly RefusalCode[];
}

function ownershipOf({ type, owner }: Resource): { relation: string; from: string } {
  if (typeof owner === 'string' || owner.from === undefined)
    throw new Error(`A ${type} does not take its client from another record.`);
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
      const { [from]: ownerId, ...others } = anyChange(input);
      const client = await lockOwned(work, resource, { field: from, id: ownerId as Id, others });
      return { ...options.defaults?.(input), ...input, [relation]: client, createdAt: new Date(work.now) };
    },
    async change(work: Work, present, input: ChangeOf<R>) {
      const client = clientIdOf(resource, present);
      await lockReferences(work, resource, { client, input: anyChange(input) });
      return anyChange(input);
    },
  };
}
