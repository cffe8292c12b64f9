// A thing as the audit log keeps it: its own stored fields and links in v1's words, without what no wire shows.

import { flatNameOf, isToMany, type AnyRecord, type Resource } from '../kit/resource.ts';

export function snapshot(resource: Resource, record: AnyRecord): Record<string, unknown> {
  const kept: Record<string, unknown> = { id: record.id };
  for (const [name, attribute] of Object.entries(resource.attributes)) {
    if (attribute.through) continue;
    kept[flatNameOf(name, attribute)] = record[name] == null ? null : attribute.kind.write(record[name], 'string');
  }
  for (const [name, relation] of Object.entries(resource.relations)) {
    if (!isToMany(relation) || relation.writable !== 'never') kept[flatNameOf(name, relation)] = record[name];
  }
  return kept;
}
