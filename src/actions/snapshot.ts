// A thing as the audit log keeps it: its own stored fields under their declared names, without what no wire shows.

import { isToMany, type AnyRecord, type Resource } from '../kit/resource.ts';

export function snapshot(resource: Resource, record: AnyRecord): AnyRecord {
  const kept: Record<string, unknown> = {};
  for (const [name, attribute] of Object.entries(resource.attributes)) {
    kept[name] = record[name] == null ? null : attribute.kind.write(record[name], 'string');
  }
  for (const [name, relation] of Object.entries(resource.relations)) {
    if (!isToMany(relation)) kept[name] = record[name];
  }
  return { ...kept, id: record.id };
}
