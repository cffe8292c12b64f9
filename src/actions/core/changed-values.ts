// What a change really asks for: without what is so already, and refused where it cannot be changed or does not belong there.

import { isDeepStrictEqual } from 'node:util';
import { parseJson, writeJson } from '../../kit/json.ts';
import { refuseFaults, type Fault } from '../../kit/refusal.ts';
import { variantOf, type AnyChange, type AnyRecord, type Resource } from '../../kit/resource.ts';

/** Fields sent with the value they have are left out; ones that cannot change and were sent with another are refused. */
export function withoutPresentValues(resource: Resource, present: AnyRecord, asked: AnyChange): AnyChange {
  const faults: Fault[] = [];
  const wanted: Record<string, unknown> = {};
  const own = variantOf(resource, present);
  for (const [field, value] of Object.entries(asked)) {
    const misfit = misfitOf(own, field, value);
    if (misfit !== undefined) faults.push({ ...misfit, field });
    if (misfit !== undefined) continue;
    if (sameValue(resource, field, present[field], value)) continue;
    if (isChangeable(resource, field)) wanted[field] = value;
    else faults.push({ code: 'immutable-attribute', detail: 'This cannot be changed.', field });
  }
  if (faults.length > 0) throw refuseFaults('invalid-document', faults);
  return wanted;
}

/** What is wrong with sending a field to a thing of this type: no wire knows the type before the thing is read. */
function misfitOf({ type, attributes, relations }: Resource, field: string, value: unknown): Fault | undefined {
  const attribute = attributes[field];
  if (attribute === undefined && relations[field] === undefined) {
    return { code: 'unknown-attribute', detail: `There is no such field on type ${type}.` };
  }
  const isNeeded = value === null && attribute !== undefined && !attribute.nullable;
  return isNeeded ? { code: 'invalid-attribute', detail: `This must not be null on type ${type}.` } : undefined;
}

function isChangeable(resource: Resource, field: string): boolean {
  return (resource.attributes[field] ?? resource.relations[field])?.writable === 'always';
}

/** What was sent and what is stored, made by the same hand so that they can be compared. */
function asParsed(value: unknown): unknown {
  return parseJson(writeJson(value));
}

/** Sets of ids and words are compared without regard to order. */
function sameValue({ attributes }: Resource, field: string, present: unknown, asked: unknown): boolean {
  if (attributes[field]?.kind.isStructured) return isDeepStrictEqual(asParsed(present), asParsed(asked));
  if (Array.isArray(present) && Array.isArray(asked)) {
    return present.length === asked.length && new Set(present).isSubsetOf(new Set(asked));
  }
  return isDeepStrictEqual(present, asked);
}
