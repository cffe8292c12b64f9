// A thing as the audit log keeps it: its own stored fields and links in v1's words, without what no wire shows.

import { flatNameOf, isToMany, variantOf, type AnyRecord, type Resource } from '../../kit/resource.ts';

/** A thing with everything that v1 shows of it, as it was found. */
export function shownOnV1(resource: Resource, record: AnyRecord): Record<string, unknown> {
  const shown: Record<string, unknown> = { id: record.id };
  const { attributes, relations } = variantOf(resource, record);
  for (const [name, attribute] of Object.entries(attributes)) {
    if (!attribute.on.includes('v1')) continue;
    const value = record[name];
    shown[flatNameOf(name, attribute)] = value == null ? null : attribute.kind.write(value, 'string', 'snake');
  }
  for (const [name, relation] of Object.entries(relations)) {
    if (relation.on.includes('v1')) shown[flatNameOf(name, relation)] = record[name] ?? null;
  }
  return shown;
}

export function snapshot(resource: Resource, record: AnyRecord): Record<string, unknown> {
  const kept: Record<string, unknown> = { id: record.id };
  const { attributes, relations } = variantOf(resource, record);
  for (const [name, attribute] of Object.entries(attributes)) {
    if (attribute.through || attribute.workedOut) continue;
    const value = record[name];
    kept[flatNameOf(name, attribute)] = value == null ? null : attribute.kind.write(value, 'string', 'snake');
  }
  for (const [name, relation] of Object.entries(relations)) {
    if (!isToMany(relation) || relation.writable !== 'never') kept[flatNameOf(name, relation)] = record[name];
  }
  return kept;
}
