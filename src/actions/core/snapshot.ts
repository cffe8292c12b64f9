// A thing as the audit log keeps it: its own stored fields and links in v1's words, without what no wire shows.

import { snakeCaseStrings } from '../../kit/field.ts';
import { snakeCaseNameOf, isToMany, variantOf, type AnyRecord, type Resource } from '../../kit/resource.ts';

/** A thing with everything that v1 shows of it, as it was found. */
export function renderForV1(resource: Resource, record: AnyRecord): Record<string, unknown> {
  const rendered: Record<string, unknown> = { id: record.id };
  const { attributes, relations } = variantOf(resource, record);
  for (const [name, attribute] of Object.entries(attributes)) {
    if (!attribute.on.includes('v1')) continue;
    const value = record[name];
    rendered[snakeCaseNameOf(name, attribute)] = value == null ? null : attribute.kind.write(value, snakeCaseStrings);
  }
  for (const [name, relation] of Object.entries(relations)) {
    if (relation.on.includes('v1')) rendered[snakeCaseNameOf(name, relation)] = record[name] ?? null;
  }
  return rendered;
}

export function snapshot(resource: Resource, record: AnyRecord): Record<string, unknown> {
  const stored: Record<string, unknown> = { id: record.id };
  const { attributes, relations } = variantOf(resource, record);
  for (const [name, attribute] of Object.entries(attributes)) {
    if (attribute.through || attribute.computed) continue;
    const value = record[name];
    stored[snakeCaseNameOf(name, attribute)] = value == null ? null : attribute.kind.write(value, snakeCaseStrings);
  }
  for (const [name, relation] of Object.entries(relations)) {
    if (!isToMany(relation) || relation.writable !== 'never') stored[snakeCaseNameOf(name, relation)] = record[name];
  }
  return stored;
}
