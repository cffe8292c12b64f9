// What may happen to a limit: where its bounds may stand, which sort of bound its kind has, and that what was found of it ends when
// it goes.

import type { Decimal } from '../../kit/decimal.ts';
import { toFixed } from '../../kit/fixed.ts';
import { refuseFaults, type Fault } from '../../kit/refusal.ts';
import { snakeCase, type ChangeOf } from '../../kit/resource.ts';
import {
  boundNames,
  boundsIn,
  boundsOfKind,
  limit,
  limitKinds,
  type BoundName,
  type Limit,
  type LimitKind,
} from '../../model/limit/limit.ts';
import { limitBreach } from '../../model/limit/limit-breach.ts';
import { ownedRules } from '../core/owned-resource.ts';
import type { Rules, WriteRules } from '../core/resource.ts';

type Asked = ChangeOf<typeof limit>;
type Place = Pick<Fault, 'field' | 'item'>;
type Bounds = Partial<Pick<Limit, BoundName>>;

/** Where a bound was sent: by itself, or among the bounds. */
type PlaceOf = (name: BoundName) => Place;
const byItself: PlaceOf = (name) => ({ field: name });

/** The bounds that were sent, wherever they stood. What is wrong with them whatever the limit has is told at its place. */
function gathered({ bounds = {}, ...asked }: Asked): Asked {
  const placeOf: PlaceOf = (name) => (asked[name] === undefined ? { field: 'bounds', item: name } : { field: name });
  const sent = boundNames.filter((name) => bounds[name] !== undefined);
  const together: Asked = { ...asked, ...Object.fromEntries(sent.map((name) => [name, bounds[name]])) };
  const faults = [
    ...sent.flatMap((name) => contradictionsOf(name, asked[name], bounds[name])),
    ...(asked.kind === undefined ? [] : otherSortsIn(asked.kind, together, placeOf)),
    ...limitKinds.flatMap((kind) => crossingsIn(kind, together, placeOf)),
  ];
  if (faults.length > 0) throw refuseFaults('invalid-document', faults);
  return together;
}

function contradictionsOf(name: BoundName, own: Decimal | null | undefined, among: unknown): Fault[] {
  if (own === undefined || own === among) return [];
  const detail = `${snakeCase(name)} is sent twice with two values: ${own} and, in bounds, ${among}.`;
  return [{ code: 'invalid-attribute', detail, field: 'bounds', item: name }];
}

const others = { proportional: boundsOfKind.absolute, absolute: boundsOfKind.proportional } as const;
const sorts = { proportional: 'fractions of the whole', absolute: 'amounts' } as const;

function otherSortsIn(kind: LimitKind, bounds: Bounds, placeOf: PlaceOf): Fault[] {
  const { min, max } = boundsOfKind[kind];
  const detail = `Bounds of ${kind} limits are ${sorts[kind]}: ${snakeCase(min)} and ${snakeCase(max)}.`;
  const wrong = Object.values(others[kind]).filter((name) => bounds[name] != null);
  return wrong.map((name) => ({ code: 'invalid-attribute', detail, ...placeOf(name) }));
}

function crossingsIn(kind: LimitKind, bounds: Bounds, placeOf: PlaceOf): Fault[] {
  const { min, max } = boundsOfKind[kind];
  const [least, most] = [bounds[min] ?? null, bounds[max] ?? null];
  if (least === null || most === null || toFixed(least) <= toFixed(most)) return [];
  const detail = `${snakeCase(min)} must not be above ${snakeCase(max)}: ${least} is more than ${most}.`;
  return [{ code: 'invalid-attribute', detail, ...placeOf(min) }];
}

/** What the limit would be like. */
function refuseMisfits(kind: LimitKind, bounds: Bounds): void {
  const { min, max } = boundsOfKind[kind];
  const isUnbounded = bounds[min] == null && bounds[max] == null;
  const detail = `${snakeCase(min)} or ${snakeCase(max)} is required: a limit has at least one bound.`;
  const faults = [
    ...otherSortsIn(kind, bounds, byItself),
    ...crossingsIn(kind, bounds, byItself),
    ...(isUnbounded ? [{ code: 'missing-attribute', detail, field: max }] : []),
  ];
  if (faults.length > 0) throw refuseFaults('invalid-document', faults);
}

const owned = ownedRules(limit, { fill: () => ({ name: 'Limit' }) });

export const limitRules: WriteRules<typeof limit> = {
  ...owned,
  refusals: ['different-client'],
  show: async (_work, records) => records.map((record) => ({ ...record, bounds: boundsIn(record) })),
  prepare: async (_work, asked) => gathered(asked),
  async create(work, asked, id) {
    refuseMisfits(asked.kind!, asked);
    return owned.create(work, asked, id);
  },
  async change(work, present, asked) {
    refuseMisfits(present.kind, { ...present, ...asked });
    return owned.change(work, present, asked);
  },
  closeBelow: (work, { id }) => work.store.limitStates.closeLimit(id, work.now),
};

/** Found by rounds, and never written by callers. */
export const limitBreachRules: Rules<typeof limitBreach> = { resource: limitBreach };
