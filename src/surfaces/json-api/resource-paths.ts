// The paths any resource has on the JSON:API wire, made from its declaration: below the version, or below another thing.

import { id as idKind } from '../../kit/field.ts';
import type { AnyChange, AnyRecord, RecordOf, Resource } from '../../kit/resource.ts';
import { oneOfItsKind, wordsOf } from '../../kit/resource.ts';
import type { Role } from '../../model/people/role.ts';
import {
  changeThing,
  createThing,
  deleteThing,
  getThing,
  type Rules,
  type WriteRules,
} from '../../actions/core/resource.ts';
import { defineOperation, type Operation } from '../http/operation/operation.ts';
import { cappedList, cappedListSchema } from '../http/lists/row-cap.ts';
import { deleteRefusalsOf, notFoundOf, writeRefusalsOf } from '../http/operation/write-refusals.ts';
import { documentExample, documentSchema, documentSchemaOf, resourceSchema } from './document-schema.ts';
import { readDocument, renderResource } from './document.ts';
import { jsonApi } from './wire.ts';

/** What things are listed and created below: the thing itself in the path, under the parameter, and their relation to it. */
export interface Above {
  readonly rules: Rules<any>;
  readonly parameter: string;
  readonly relation: string;
}

export interface JsonApiPaths<R extends Resource> {
  readonly rules: WriteRules<R>;
  readonly above?: Above;
  readonly version?: 'v2' | 'v3';
  /** What they are called below another thing, and the singular of that, where it is not what they are. */
  readonly called?: { readonly collection: string; readonly one: string };
  /** The fields that a list can be asked for, and those that all in it have. */
  readonly filters?: readonly string[];
  readonly where?: AnyChange;
  /** Where they come in several types: which one the example of a new one is of. */
  readonly exampleType?: string;
  /** The role that opens reading to people; none where nothing is said. */
  readonly readers?: Role;
}

export function jsonApiPaths<R extends Resource>(paths: JsonApiPaths<R>): readonly Operation[] {
  return [listPath(paths), createPath(paths), readPath(paths), changePath(paths), deletePath(paths)];
}

function rootOf<R extends Resource>({ version = 'v2' }: JsonApiPaths<R>): string {
  return `/api/${version}`;
}

function collectionOf<R extends Resource>(paths: JsonApiPaths<R>): string {
  const { rules, above, called } = paths;
  const { plural } = rules.resource;
  if (above === undefined) return `${rootOf(paths)}/${plural}`;
  // What has a name of its own there is found below its own kind.
  if (called) return `${rootOf(paths)}/${plural}/{${above.parameter}}/${called.collection}`;
  return `${rootOf(paths)}/${above.rules.resource.plural}/{${above.parameter}}/${plural}`;
}

function itemOf<R extends Resource>(paths: JsonApiPaths<R>): string {
  return `${rootOf(paths)}/${paths.rules.resource.plural}/{id}`;
}

function frame<R extends Resource>({ rules, called, readers }: JsonApiPaths<R>, verb: string) {
  const { resource } = rules;
  const people = readers !== undefined && (verb === 'list' || verb === 'read') ? { people: readers } : {};
  const id = `json-api.${called?.one ?? resource.type}.${verb}`;
  return { id, wire: jsonApi, group: resource.plural, resource, query: {}, ...people };
}

/** A query parameter for each of these fields, under its declared name. */
function filterParameters({ attributes, relations }: Resource, fields: readonly string[]): Operation['query'] {
  const parameters = fields.map((name) => {
    const kind = name in relations ? idKind : attributes[name]!.kind;
    return [name, { kind, description: `Only those with this \`${name}\`.` }] as const;
  });
  return Object.fromEntries(parameters);
}

function rendered<R extends Resource>(resource: R, record: RecordOf<R>): { data: unknown } {
  return { data: renderResource(resource, record as AnyRecord) };
}

export function listPath<R extends Resource>(paths: JsonApiPaths<R>): Operation {
  const { rules, above, called, filters = [], where: always = {} } = paths;
  const { resource } = rules;
  const plural = (called?.collection ?? resource.plural).replaceAll('-', ' ');
  const whose = above === undefined ? 'the token sees' : `of the ${wordsOf(above.rules.resource)}`;
  return defineOperation<void>({
    ...frame(paths, 'list'),
    method: 'GET',
    path: collectionOf(paths),
    summary: above === undefined ? `List ${plural}` : `List ${plural} of ${oneOfItsKind(above.rules.resource)}`,
    right: 'read',
    mode: 'read',
    heavy: true,
    query: filterParameters(resource, filters),
    answers: {
      200: { description: `The ${plural} ${whose}, oldest first.`, schema: cappedListSchema(resourceSchema(resource)) },
    },
    refusals: above === undefined ? [] : [notFoundOf(above.rules.resource)],
    read: () => undefined,
    async handle({ work, params, query }) {
      const below = above === undefined ? {} : { [above.relation]: params[above.parameter] };
      const where = { ...always, ...query, ...below };
      const body = await cappedList(work, { rules, where }, (record) => renderResource(resource, record));
      // Where there is something, what it hangs below is there too.
      if (above !== undefined && body.data.length === 0) await getThing(work, above.rules, params[above.parameter]!);
      return { status: 200, body };
    },
  });
}

export function readPath<R extends Resource>(paths: JsonApiPaths<R>): Operation {
  const { rules } = paths;
  const { resource } = rules;
  return defineOperation<void>({
    ...frame(paths, 'read'),
    method: 'GET',
    path: itemOf(paths),
    summary: `Read one ${wordsOf(resource)}`,
    right: 'read',
    mode: 'read',
    answers: { 200: { description: `The ${wordsOf(resource)}.`, schema: documentSchemaOf(resource) } },
    refusals: [notFoundOf(resource)],
    read: () => undefined,
    handle: async ({ work, params }) => ({
      status: 200,
      body: rendered(resource, await getThing(work, rules, params['id']!)),
    }),
  });
}

export function createPath<R extends Resource>(paths: JsonApiPaths<R>): Operation {
  const { rules, above, called } = paths;
  const { resource } = rules;
  const settable = { purpose: 'create', above: above?.relation, exampleType: paths.exampleType } as const;
  return defineOperation({
    ...frame(paths, 'create'),
    method: 'POST',
    path: collectionOf(paths),
    summary: `Create ${called === undefined ? oneOfItsKind(resource) : `a ${called.one.replaceAll('-', ' ')}`}`,
    right: 'write',
    mode: 'write',
    ...(above === undefined ? {} : { fieldInPath: above.relation }),
    body: { schema: documentSchema(resource, settable), example: documentExample(resource, settable) },
    answers: {
      201: {
        description: `The new ${wordsOf(resource)}.`,
        schema: documentSchemaOf(resource),
        headers: { Location: 'Its address.' },
      },
    },
    refusals: [
      'type-mismatch',
      'client-generated-id',
      ...writeRefusalsOf(rules, { wire: 'json-api', purpose: 'create' }),
      ...(above === undefined ? [] : [notFoundOf(above.rules.resource)]),
    ],
    read: ({ body, params }) =>
      readDocument(resource, body, {
        purpose: 'create',
        ...(above === undefined ? {} : { above: { relation: above.relation, id: params[above.parameter]! } }),
      }),
    async handle({ work }, asked) {
      const record = await createThing(work, rules, asked as any);
      const location = `${work.house.addresses.legacyUrl}${itemOf(paths).replace('{id}', record.id)}`;
      return { status: 201, headers: { location }, body: rendered(resource, record) };
    },
  });
}

function changePath<R extends Resource>(paths: JsonApiPaths<R>): Operation {
  const { rules } = paths;
  const { resource } = rules;
  const settable = { purpose: 'change', above: undefined } as const;
  return defineOperation({
    ...frame(paths, 'change'),
    method: 'PATCH',
    path: itemOf(paths),
    summary: `Change ${oneOfItsKind(resource)}`,
    right: 'write',
    mode: 'write',
    body: { schema: documentSchema(resource, settable), example: documentExample(resource, settable) },
    answers: { 200: { description: `The ${wordsOf(resource)} as it is now.`, schema: documentSchemaOf(resource) } },
    refusals: [
      'type-mismatch',
      'id-mismatch',
      notFoundOf(resource),
      ...writeRefusalsOf(rules, { wire: 'json-api', purpose: 'change' }),
    ],
    read: ({ body, params }) => readDocument(resource, body, { purpose: 'change', id: params['id']! }),
    handle: async ({ work, params }, asked) => ({
      status: 200,
      body: rendered(resource, await changeThing(work, rules, params['id']!, asked as any)),
    }),
  });
}

export function deletePath<R extends Resource>(paths: JsonApiPaths<R>): Operation {
  const { rules } = paths;
  const { resource } = rules;
  return defineOperation<void>({
    ...frame(paths, 'delete'),
    method: 'DELETE',
    path: itemOf(paths),
    summary: `Delete ${oneOfItsKind(resource)}`,
    right: 'write',
    mode: 'write',
    answers: { 204: { description: 'It is gone. Deleting it again answers 404.' } },
    refusals: deleteRefusalsOf(resource),
    read: () => undefined,
    async handle({ work, params }) {
      await deleteThing(work, rules, params['id']!);
      return { status: 204 };
    },
  });
}
