// What a change really asks for: without what is so already, and refused where it cannot be changed or does not belong there.

import { isDeepStrictEqual } from 'node:util';
import { parseJson, writeJson } from '../../kit/json.ts';
import { refusalForFaults, type Fault } from '../../kit/refusal.ts';
import { variantOf, type AnyChange, type AnyRecord, type Resource } from '../../kit/resource.ts';

/** Fields sent with the value they have are left out; ones that cannot change and were sent with another are refused. */
export function changedValues(resource: Resource, present: AnyRecord, input: AnyChange): AnyChange {
  const faults: Fault[] = [];
  const changes: Record<string, unknown> = {};
  const variant = variantOf(resource, present);
  for (const [field, value] of Object.entries(input)) {
    const fault = fieldFault(variant, field, value);
    if (fault !== undefined) faults.push({ ...fault, field });
    if (fault !== undefined) continue;
    if (isSameValue(resource, field, present[field], value)) continue;
    if (isChangeable(resource, field)) changes[field] = value;
    else faults.push({ code: 'immutable-attribute', detail: 'This cannot be changed.', field });
  }
  if (faults.length > 0) throw refusalForFaults('invalid-document', faults);
  return changes;
}

/** What is wrong with sending a field to a thing of this type: no wire knows the type before the thing is read. */
function fieldFault({ type, attributes, relations }: Resource, field: string, value: unknown): Fault | undefined {
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
function normaliseJson(value: unknown): unknown {
  return parseJson(writeJson(value));
}

/** Sets of ids and words are compared without regard to order. */
function isSameValue({ attributes }: Resource, field: string, present: unknown, input: unknown): boolean {
  if (attributes[field]?.kind.isStructured) return isDeepStrictEqual(normaliseJson(present), normaliseJson(input));
  if (Array.isArray(present) && Array.isArray(input)) {
    return present.length === input.length && new Set(present).isSubsetOf(new Set(input));
  }
  return isDeepStrictEqual(present, input);
}
