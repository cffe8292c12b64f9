// Lists of the frozen tracks have no cursor: everything that matches in one answer, up to a cap that the answer admits to.

import type { AnyRecord, Resource } from '../../kit/resource.ts';
import { countThings, listThings, type Rules } from '../../actions/resource.ts';
import type { Work } from '../../actions/work.ts';

export const rowCap = 10_000;

const truncationSchema = {
  type: 'object',
  required: ['truncated', 'cap', 'total'],
  properties: { truncated: { const: true }, cap: { type: 'integer' }, total: { type: 'integer' } },
  additionalProperties: false,
  description: 'Present when there are more rows than one answer holds.',
} as const;

export function cappedListSchema(items: unknown): { readonly [keyword: string]: unknown } {
  const properties = { data: { type: 'array', items }, meta: truncationSchema };
  return { type: 'object', required: ['data'], properties, additionalProperties: false };
}

export async function cappedList<R extends Resource>(
  work: Work,
  rules: Rules<R>,
  render: (record: AnyRecord) => unknown,
): Promise<{ data: unknown[]; meta?: object }> {
  const { things, hasMore } = await listThings(work, rules, { limit: rowCap });
  const data = things.map((thing) => render(thing as AnyRecord));
  if (!hasMore) return { data };
  return { data, meta: { truncated: true, cap: rowCap, total: await countThings(work, rules, {}) } };
}
