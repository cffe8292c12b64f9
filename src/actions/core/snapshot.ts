// Renders a record as the audit log stores it: its own stored fields and links, in snake_case.

import { snakeCaseStrings } from '../../kit/field.ts';
import { snakeCaseNameOf, isToMany, variantOf, type AnyRecord, type Resource } from '../../kit/resource.ts';

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
