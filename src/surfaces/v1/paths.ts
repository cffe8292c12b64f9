// The paths any resource has on v1, made from its declaration: pages, conditional reads, guarded changes.

import type { AnyChange, AnyRecord, RecordOf, Resource } from '../../kit/resource.ts';
import { wordsOf } from '../../kit/resource.ts';
import { writeJson } from '../../kit/json.ts';
import type { Right } from '../../model/reach.ts';
import type { RefusalCode } from '../../model/refusals.ts';
import {
  changeThing,
  deleteThing,
  getThing,
  type ChangeRules,
  type Guard,
  type Rules,
} from '../../actions/resource.ts';
import { flatBodySchema, flatExample, flatSchema, readFlat, renderFlat } from '../flat/object.ts';
import { defineOperation, type Ask, type Operation, type Parameter } from '../http/operation.ts';
import { checkIfMatch, entityTag } from './conditional.ts';
import { listPage, pageParameters, pageSchema } from './page.ts';
import { v1 } from './wire.ts';

export interface V1Paths<R extends Resource> {
  readonly rules: Rules<R>;
  readonly collection: string;
  /** Query parameters of the list that ask for a field's value: the declared field, by parameter. */
  readonly filters: Readonly<Record<string, { readonly field: string; readonly parameter: Parameter }>>;
  readonly order?: 'oldest-first' | 'newest-first';
  readonly readRight: Right;
  readonly writeRight: Right;
  readonly writeRefusals: readonly RefusalCode[];
}

/** Of a resource that can be changed here. */
export interface V1WritePaths<R extends Resource> extends V1Paths<R> {
  readonly rules: ChangeRules<R>;
}

function frame<R extends Resource>({ rules: { resource } }: V1Paths<R>, verb: string) {
  return { id: `v1.${resource.type}.${verb}`, wire: v1, group: resource.plural, resource };
}

function itemPath({ collection }: { collection: string }): string {
  return `${collection}/{id}`;
}

function notFoundOf(resource: Resource): RefusalCode {
  return `${resource.type}-not-found` as RefusalCode;
}

function renderV1<R extends Resource>(resource: R, record: RecordOf<R>): Record<string, unknown> {
  return renderFlat(resource, record as AnyRecord, v1);
}

/** Reads filters into declared fields. */
function whereOf<R extends Resource>({ filters }: V1Paths<R>, query: Readonly<Record<string, unknown>>): AnyChange {
  const where: Record<string, unknown> = {};
  for (const [name, { field }] of Object.entries(filters)) if (query[name] !== undefined) where[field] = query[name];
  return where;
}

export function listPath<R extends Resource>(paths: V1Paths<R>): Operation {
  const { rules, collection, filters, order = 'oldest-first', readRight } = paths;
  const { resource } = rules;
  const declared = Object.entries(filters).map(([name, { parameter }]) => [name, parameter] as const);
  return defineOperation<void>({
    ...frame(paths, 'list'),
    method: 'GET',
    path: collection,
    summary: `List ${resource.plural.replaceAll('-', ' ')}`,
    right: readRight,
    mode: 'read',
    query: { ...pageParameters, ...Object.fromEntries(declared) },
    answers: {
      200: { description: `A page, ${order.replace('-', ' ')}.`, schema: pageSchema(flatSchema(resource, v1)) },
    },
    refusals: ['cursor-invalid', 'cursor-expired'],
    read: () => undefined,
    async handle(ask) {
      const where = whereOf(paths, ask.query);
      const page = await listPage(ask, { operation: collection, rules, where, order });
      return { status: 200, body: { ...page, data: page.data.map((thing) => renderV1(resource, thing)) } };
    },
  });
}

export function readPath<R extends Resource>(paths: V1Paths<R>): Operation {
  const { rules, readRight } = paths;
  const { resource } = rules;
  return defineOperation<void>({
    ...frame(paths, 'read'),
    method: 'GET',
    path: itemPath(paths),
    summary: `Read one ${wordsOf(resource)}`,
    right: readRight,
    mode: 'read',
    query: {},
    answers: { 200: { description: `The ${wordsOf(resource)}.`, schema: flatSchema(resource, v1) } },
    refusals: [notFoundOf(resource)],
    read: () => undefined,
    handle: async ({ work, params }) => ({
      status: 200,
      body: renderV1(resource, await getThing(work, rules, params['id']!)),
    }),
  });
}

/** A creation whose input and answer are the resource's own; resources with more to them write theirs out. */
export interface V1Creation<R extends Resource, Input> {
  readonly schema: Operation['body'];
  readonly answerSchema: { readonly [keyword: string]: unknown };
  readonly besides?: readonly string[];
  read(asked: AnyChange, ask: { body: unknown }): Input;
  create(ask: Ask, input: Input): Promise<{ record: RecordOf<R>; more?: Record<string, unknown> }>;
}

export function createPath<R extends Resource, Input>(paths: V1Paths<R>, creation: V1Creation<R, Input>): Operation {
  const { rules, collection, writeRight, writeRefusals } = paths;
  const { resource } = rules;
  return defineOperation<Input>({
    ...frame(paths, 'create'),
    method: 'POST',
    path: collection,
    summary: `Create a ${wordsOf(resource)}`,
    right: writeRight,
    mode: 'write',
    query: {},
    body: creation.schema!,
    answers: {
      201: {
        description: `The new ${wordsOf(resource)}.`,
        schema: creation.answerSchema,
        headers: { Location: 'Its address.', ETag: 'Its entity tag.' },
      },
    },
    refusals: ['outside-reach', ...writeRefusals],
    read(sent) {
      const asked = readFlat(resource, sent.body, {
        wire: 'v1',
        purpose: 'create',
        ...(creation.besides ? { besides: creation.besides } : {}),
      });
      return creation.read(asked, { body: sent.body });
    },
    async handle(ask, input) {
      const { record, more = {} } = await creation.create(ask, input);
      const location = `${ask.work.house.addresses.baseUrl}${collection}/${record.id}`;
      const body = renderV1(resource, record);
      return { status: 201, headers: { location, etag: entityTag(writeJson(body)) }, body: { ...body, ...more } };
    },
  });
}

export function changePath<R extends Resource>(paths: V1WritePaths<R>): Operation {
  const { rules, writeRight, writeRefusals } = paths;
  const { resource } = rules;
  return defineOperation({
    ...frame(paths, 'change'),
    method: 'PATCH',
    path: itemPath(paths),
    summary: `Change a ${wordsOf(resource)}`,
    right: writeRight,
    mode: 'write',
    query: {},
    body: { schema: flatBodySchema(resource, v1, 'change'), example: flatExample(resource, 'v1', 'change') },
    answers: {
      200: {
        description: `The ${wordsOf(resource)} as it is now.`,
        schema: flatSchema(resource, v1),
        headers: { ETag: 'Its entity tag.' },
      },
    },
    refusals: [notFoundOf(resource), 'id-mismatch', 'precondition-failed', ...writeRefusals],
    read: ({ body, params }) => readFlat(resource, body, { wire: 'v1', purpose: 'change', id: params['id']! }),
    async handle(ask, asked) {
      const changed = await changeThing(ask.work, rules, ask.params['id']!, asked as any, ifMatchGuard(ask, resource));
      const body = renderV1(resource, changed);
      return { status: 200, headers: { etag: entityTag(writeJson(body)) }, body };
    },
  });
}

export function deletePath<R extends Resource>(paths: V1WritePaths<R>): Operation {
  const { rules, writeRight } = paths;
  const { resource } = rules;
  return defineOperation<void>({
    ...frame(paths, 'delete'),
    method: 'DELETE',
    path: itemPath(paths),
    summary: `Delete a ${wordsOf(resource)}`,
    right: writeRight,
    mode: 'write',
    query: {},
    answers: { 204: { description: 'It is gone. Deleting it again answers 404.' } },
    refusals: [
      notFoundOf(resource),
      'precondition-failed',
      ...((resource.kept ? [resource.kept.code] : []) as RefusalCode[]),
    ],
    read: () => undefined,
    async handle(ask) {
      await deleteThing(ask.work, rules, ask.params['id']!, ifMatchGuard(ask, resource));
      return { status: 204 };
    },
  });
}

/** If-Match, against the thing as it stands in this transaction. */
function ifMatchGuard<R extends Resource>({ headers }: Ask, resource: R): Guard<R> {
  return (present) => checkIfMatch(headers['if-match'], () => writeJson(renderV1(resource, present)));
}
