// Describes the parameters of an operation: in its path, its query and its headers.

import type { JsonSchema } from '../../../kit/field.ts';
import type { Id } from '../../../kit/id.ts';
import { exampleIdOfResource, exampleIdOfType, resourceLabel, type Resource } from '../../../kit/resource.ts';
import { instrument } from '../../../model/instrument/instrument.ts';
import { price } from '../../../model/instrument/series-point.ts';
import { isConditional } from '../operation/possible-refusals.ts';
import { isIdempotent, type Operation } from '../operation/operation.ts';

export const headerParameters = {
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A string that you choose, new for each write. If the same request is sent again with it within 24 hours, it is executed once and gets the same answer. Keys belong to the workspace and the environment.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    description: 'The `ETag` of a read. The write is refused if the record has changed since.',
    schema: { type: 'string' },
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of an earlier answer. The answer is 304 without a body if nothing has changed since.',
    schema: { type: 'string' },
  },
} as const satisfies Record<string, JsonSchema>;

/** Resources by their name in paths. */
type ResourcesByPlural = ReadonlyMap<string, Resource>;

export function operationParameters(operation: Operation, resources: ResourcesByPlural): readonly JsonSchema[] {
  const headers = acceptedHeaders(operation).map((name) => ({ $ref: `#/components/parameters/${name}` }));
  return [...pathParameters(operation, resources), ...queryParameters(operation), ...headers];
}

/** A parameter says by its name what it identifies, such as `{reportingEntityId}`, or the segment before it does: `/legal-entities/{id}/accounts`. */
function pathParameters(operation: Operation, resources: ResourcesByPlural): readonly JsonSchema[] {
  const { path, pathResource } = operation;
  const segments = path.split('/');
  return segments.flatMap((segment, index) => {
    const name = /^\{(\w+)\}/.exec(segment)?.[1];
    if (name === undefined) return [];
    const plural = segments[index - 1] ?? '';
    const named = [...resources.values()].find(({ type }) => `${type}-id` === kebabCase(name));
    const resource = named ?? resources.get(plural) ?? pathResource;
    if (resource === undefined) throw new Error(`${path} does not say which resource {${name}} identifies.`);
    const description = `The id of the ${resourceLabel(resource)}.`;
    const example = isOfSeries(operation) ? seriesHolderId(operation.resource) : exampleIdOfResource(resource);
    return { name, in: 'path', required: true, description, schema: { type: 'string' }, example };
  });
}

/** Not every instrument has each series: operations on one are about another instrument than the example of all, a stock. */
export function seriesHolderId({ type }: Resource): Id {
  return exampleIdOfType(type === price.type ? instrument.type : `instrument with a ${type}`);
}

function isOfSeries(operation: Operation): operation is Operation & { readonly resource: Resource } {
  const { path, resource } = operation;
  return path.includes('/instruments/{id}/') && resource?.table === price.table;
}

/** `reportingEntityId` and `reporting_entity_id` → `reporting-entity-id`. */
function kebabCase(name: string): string {
  return name.replaceAll('_', '-').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** A parameter that may be sent several times takes several words in one value as well: `a,b`. */
function repeatableSchema(schema: JsonSchema): JsonSchema {
  const items = schema['items'] as { readonly enum: readonly string[] };
  const word = `(${items.enum.join('|')})`;
  return { ...schema, items: { anyOf: [items, { type: 'string', pattern: `^${word}(,${word})+$` }] } };
}

function queryParameters({ query, wire }: Operation): readonly JsonSchema[] {
  return Object.entries(query).map(([name, { kind, description, required, repeats, example }]) => ({
    name,
    in: 'query',
    ...(required ? { required } : {}),
    description,
    schema: repeats ? repeatableSchema(kind.schema(wire.style)) : kind.schema(wire.style),
    ...(example === undefined ? {} : { example }),
  }));
}

function acceptedHeaders(operation: Operation): readonly (keyof typeof headerParameters)[] {
  return [
    ...(isIdempotent(operation) ? (['Idempotency-Key'] as const) : []),
    ...(operation.refusals.includes('precondition-failed') ? (['If-Match'] as const) : []),
    ...(isConditional(operation) ? (['If-None-Match'] as const) : []),
  ];
}
