// Reduces a requested change to the fields whose value really differs, and refuses fields that cannot be changed or do not exist.

import { isDeepStrictEqual } from 'node:util';
import { parseJson, writeJson } from '../../kit/json.ts';
import { refusalForFaults, type Fault } from '../../kit/refusal.ts';
import { variantOf, type AnyChange, type AnyRecord, type Resource } from '../../kit/resource.ts';

/** Leaves out fields that were sent with their present value. Refuses immutable fields that were sent with another one. */
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
    else faults.push({ code: 'immutable-attribute', detail: 'This field cannot be changed after creation.', field });
  }
  if (faults.length > 0) throw refusalForFaults('invalid-document', faults);
  return changes;
}

/** Checks a field against the record's variant, which surfaces cannot do, since only the stored record tells the variant. */
function fieldFault({ type, attributes, relations }: Resource, field: string, value: unknown): Fault | undefined {
  const attribute = attributes[field];
  if (attribute === undefined && relations[field] === undefined) {
    return { code: 'unknown-attribute', detail: `A record of type ${type} has no such field.` };
  }
  const isRequired = value === null && attribute !== undefined && !attribute.nullable;
  return isRequired
    ? { code: 'invalid-attribute', detail: `This must not be null on a record of type ${type}.` }
    : undefined;
}

function isChangeable(resource: Resource, field: string): boolean {
  return (resource.attributes[field] ?? resource.relations[field])?.writable === 'always';
}

/** Compares an input with a stored value by what they are as JSON. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(parseJson(writeJson(one)), parseJson(writeJson(other)));
}

/** Compares sets of ids and words regardless of order. */
function isSameValue({ attributes }: Resource, field: string, present: unknown, input: unknown): boolean {
  if (attributes[field]?.kind.isStructured) return isSameJson(present, input);
  if (Array.isArray(present) && Array.isArray(input)) {
    return present.length === input.length && new Set(present).isSubsetOf(new Set(input));
  }
  return isDeepStrictEqual(present, input);
}
