// Rules for limits: where bounds may be sent and which of them its kind has. Deleting a limit closes its recorded states.

import { defined } from '../../kit/assert.ts';
import type { Decimal } from '../../kit/decimal.ts';
import { toFixed } from '../../kit/fixed.ts';
import { refusalForFaults, type Fault } from '../../kit/refusal.ts';
import { snakeCase, type ChangeOf } from '../../kit/resource.ts';
import {
  boundNames,
  boundsOfLimit,
  boundsOfKind,
  limit,
  limitKinds,
  type BoundName,
  type Limit,
  type LimitKind,
} from '../../model/limit/limit.ts';
import { limitBreach } from '../../model/limit/limit-breach.ts';
import { ownedRules } from '../core/owned-resource.ts';
import { refuseUnknownNames } from './limit-names.ts';
import type { Rules, WriteRules } from '../core/resource.ts';

type LimitInput = ChangeOf<typeof limit>;
type BoundLocation = Pick<Fault, 'field' | 'item'>;
type Bounds = Partial<Pick<Limit, BoundName>>;

/** Locates a bound in the input: a field by itself, or a member of `bounds`. */
type BoundLocator = (name: BoundName) => BoundLocation;
const locateField: BoundLocator = (name) => ({ field: name });

/** Merges the bounds from both places, and refuses those that are wrong for any limit, with a pointer to where they were sent. */
function mergeBounds({ bounds = {}, ...input }: LimitInput): LimitInput {
  const locate: BoundLocator = (name) =>
    input[name] === undefined ? { field: 'bounds', item: name } : { field: name };
  const givenNames = boundNames.filter((name) => bounds[name] !== undefined);
  const merged: LimitInput = { ...input, ...Object.fromEntries(givenNames.map((name) => [name, bounds[name]])) };
  const faults = [
    ...givenNames.flatMap((name) => contradictionFaults(name, input[name], bounds[name])),
    ...(input.kind === undefined ? [] : wrongKindFaults(input.kind, merged, locate)),
    ...limitKinds.flatMap((kind) => crossingFaults(kind, merged, locate)),
  ];
  if (faults.length > 0) throw refusalForFaults('invalid-document', faults);
  return merged;
}

function contradictionFaults(name: BoundName, direct: Decimal | null | undefined, inBounds: unknown): Fault[] {
  if (direct === undefined || direct === inBounds) return [];
  const detail = `${snakeCase(name)} is sent twice with two values: ${direct} and, in bounds, ${inBounds}.`;
  return [{ code: 'invalid-attribute', detail, field: 'bounds', item: name }];
}

const otherKindBounds = { proportional: boundsOfKind.absolute, absolute: boundsOfKind.proportional } as const;
const boundUnits = { proportional: 'fractions of the whole', absolute: 'amounts' } as const;

function wrongKindFaults(kind: LimitKind, bounds: Bounds, locate: BoundLocator): Fault[] {
  const { min, max } = boundsOfKind[kind];
  const detail = `Bounds of ${kind} limits are ${boundUnits[kind]}: ${snakeCase(min)} and ${snakeCase(max)}.`;
  const wrongNames = Object.values(otherKindBounds[kind]).filter((name) => bounds[name] != null);
  return wrongNames.map((name) => ({ code: 'invalid-attribute', detail, ...locate(name) }));
}

function crossingFaults(kind: LimitKind, bounds: Bounds, locate: BoundLocator): Fault[] {
  const { min, max } = boundsOfKind[kind];
  const [least, most] = [bounds[min] ?? null, bounds[max] ?? null];
  if (least === null || most === null || toFixed(least) <= toFixed(most)) return [];
  const detail = `${snakeCase(min)} must not be above ${snakeCase(max)}: ${least} is more than ${most}.`;
  return [{ code: 'invalid-attribute', detail, ...locate(min) }];
}

/** Checks the bounds that the limit would have after the write. */
export function refuseInvalidBounds(kind: LimitKind, bounds: Bounds): void {
  const { min, max } = boundsOfKind[kind];
  const isUnbounded = bounds[min] == null && bounds[max] == null;
  const detail = `${snakeCase(min)} or ${snakeCase(max)} is required: a limit has at least one bound.`;
  const faults = [
    ...wrongKindFaults(kind, bounds, locateField),
    ...crossingFaults(kind, bounds, locateField),
    ...(isUnbounded ? [{ code: 'missing-attribute', detail, field: max }] : []),
  ];
  if (faults.length > 0) throw refusalForFaults('invalid-document', faults);
}

const ownedLimitRules = ownedRules(limit, { defaults: () => ({ name: 'Limit' }) });

export const limitRules: WriteRules<typeof limit> = {
  ...ownedLimitRules,
  refusals: ['different-client'],
  show: async (_work, records) => records.map((record) => ({ ...record, bounds: boundsOfLimit(record) })),
  prepare: async (_work, input) => mergeBounds(input),
  async create(work, input, id) {
    refuseInvalidBounds(defined(input.kind, 'a new limit has a kind'), input);
    const client = defined(input.client, 'a new limit belongs to a client');
    const filter = defined(input.filter, 'a new limit has a filter');
    // Sent together. A refused client or reporting entity comes first.
    const [fields, names] = await Promise.allSettled([
      ownedLimitRules.create(work, input, id),
      refuseUnknownNames(work, { client, filter }),
    ]);
    if (fields.status === 'rejected') throw fields.reason;
    if (names.status === 'rejected') throw names.reason;
    return fields.value;
  },
  async change(work, present, input) {
    refuseInvalidBounds(present.kind, { ...present, ...input });
    if (input.filter !== undefined) await refuseUnknownNames(work, { client: present.client, filter: input.filter });
    return ownedLimitRules.change(work, present, input);
  },
  beforeDelete: (work, { id }) => work.store.limitStates.closeLimit(id, work.now),
};

/** Breaches are recorded by rounds and cannot be written through the API. */
export const limitBreachRules: Rules<typeof limitBreach> = { resource: limitBreach };
