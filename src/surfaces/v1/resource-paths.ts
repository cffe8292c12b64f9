// The paths any resource has on v1, made from its declaration: pages, conditional reads, guarded changes.

import type { AnyChange, AnyRecord, ChangeOf, RecordOf, Resource } from '../../kit/resource.ts';
import { oneOfItsKind, wordsOf } from '../../kit/resource.ts';
import { writeJson } from '../../kit/json.ts';
import type { Right } from '../../model/access/scope.ts';
import type { Role } from '../../model/people/role.ts';
import type { RefusalCode } from '../../model/refusals/refusals.ts';
import {
  changeThing,
  createThing,
  deleteThing,
  getThing,
  type ChangeRules,
  type DeleteRules,
  type Guard,
  type Rules,
  type WriteRules,
} from '../../actions/core/resource.ts';
import { flatBodySchema, flatExample, flatSchema, readFlat, renderFlat } from '../snake-case/snake-case-object.ts';
import { pageSchema } from '../http/lists/cursor-page.ts';
import { defineOperation, type Ask, type Operation } from '../http/operation/operation.ts';
import { deleteRefusalsOf, notFoundOf, writeRefusalsOf } from '../http/operation/write-refusals.ts';
import { checkIfMatch, entityTag } from './conditional.ts';
import { filterParameters, filtersOf, searchParameters, whereOf, wordsAskedFor } from './filters.ts';
import { knownAtParameter, readKnownAt } from './known-at.ts';
import { listPage, pageParameters } from './page.ts';
import { v1 } from './wire.ts';

export interface V1Paths<R extends Resource> {
  readonly rules: Rules<R>;
  readonly order?: 'oldest-first' | 'newest-first';
  /** What reading and writing take; `read` and `write` where nothing else is said. */
  readonly readRight?: Right;
  readonly writeRight?: Right;
  /** The roles that open reading and writing to people; none where nothing is said. */
  readonly readers?: Role;
  readonly writers?: Role;
}

/** Of a resource that can be deleted here. */
export interface V1DeletePaths<R extends Resource> extends V1Paths<R> {
  readonly rules: DeleteRules<R>;
}

/** Of a resource that can be changed here. */
export interface V1ChangePaths<R extends Resource> extends V1Paths<R> {
  readonly rules: ChangeRules<R>;
}

/** Of a resource that can be created here from its declared fields alone. */
export interface V1WritePaths<R extends Resource> extends V1Paths<R> {
  readonly rules: WriteRules<R>;
}

export function v1Paths<R extends Resource>(paths: V1WritePaths<R>): readonly Operation[] {
  const { rules } = paths;
  const { resource } = rules;
  const creation: V1Creation<R, AnyChange> = {
    body: { schema: flatBodySchema(resource, v1, 'create'), example: flatExample(resource, 'v1', 'create') },
    answerSchema: flatSchema(resource, v1),
    read: (asked) => asked,
    create: async ({ work }, asked) => ({ record: await createThing(work, rules, asked as ChangeOf<R>) }),
  };
  return [listPath(paths), createPath(paths, creation), readPath(paths), changePath(paths), deletePath(paths)];
}

function frame<R extends Resource>({ rules: { resource }, readers, writers }: V1Paths<R>, verb: string) {
  const role = verb === 'list' || verb === 'read' ? readers : writers;
  const people = role === undefined ? {} : { people: role };
  return { id: `v1.${resource.type}.${verb}`, wire: v1, group: resource.plural, resource, ...people };
}

function collectionOf<R extends Resource>({ rules: { resource } }: V1Paths<R>): string {
  return `/v1/${resource.plural}`;
}

function itemOf<R extends Resource>(paths: V1Paths<R>): string {
  return `${collectionOf(paths)}/{id}`;
}

export function renderV1<R extends Resource>(resource: R, record: RecordOf<R>): Record<string, unknown> {
  return renderFlat(resource, record as AnyRecord, v1);
}

export function listPath<R extends Resource>(paths: V1Paths<R>): Operation {
  const { rules, order = 'oldest-first', readRight = 'read' } = paths;
  const { resource } = rules;
  const filters = filtersOf(resource);
  const collection = collectionOf(paths);
  return defineOperation<void>({
    ...frame(paths, 'list'),
    method: 'GET',
    path: collection,
    summary: `List ${resource.plural.replaceAll('-', ' ')}`,
    right: readRight,
    mode: 'read',
    query: { ...pageParameters, ...filterParameters(filters), ...searchParameters(resource) },
    answers: {
      200: { description: `A page, ${order.replace('-', ' ')}.`, schema: pageSchema(flatSchema(resource, v1)) },
    },
    refusals: ['cursor-invalid', 'cursor-expired'],
    read: () => undefined,
    async handle(ask) {
      const where = whereOf(filters, ask.query);
      const words = wordsAskedFor(resource, ask.query);
      const page = await listPage(ask, { operation: collection, rules, where, words, order });
      return { status: 200, body: { ...page, data: page.data.map((thing) => renderV1(resource, thing)) } };
    },
  });
}

export function readPath<R extends Resource>(paths: V1Paths<R>): Operation {
  const { rules, readRight = 'read' } = paths;
  const { resource } = rules;
  return defineOperation<void>({
    ...frame(paths, 'read'),
    method: 'GET',
    path: itemOf(paths),
    summary: `Read one ${wordsOf(resource)}`,
    right: readRight,
    mode: 'read',
    query: resource.versions === undefined ? {} : knownAtParameter,
    answers: { 200: { description: `The ${wordsOf(resource)}.`, schema: flatSchema(resource, v1) } },
    refusals: [notFoundOf(resource)],
    read: () => undefined,
    async handle(ask) {
      const { knownAt } = readKnownAt(ask);
      return { status: 200, body: renderV1(resource, await getThing(ask.work, rules, ask.params['id']!, knownAt)) };
    },
  });
}

/** A creation whose input and answer are the resource's own; resources with more to them write theirs out. */
export interface V1Creation<R extends Resource, Input> {
  readonly body: NonNullable<Operation['body']>;
  readonly answerSchema: { readonly [keyword: string]: unknown };
  readonly besides?: readonly string[];
  /** What it can be refused with beyond the rules of the resource. */
  readonly refusals?: readonly RefusalCode[];
  read(asked: AnyChange, ask: { body: unknown }): Input;
  create(ask: Ask, input: Input): Promise<{ record: RecordOf<R>; more?: Record<string, unknown> }>;
}

export function createPath<R extends Resource, Input>(
  paths: V1ChangePaths<R>,
  creation: V1Creation<R, Input>,
): Operation {
  const { rules, writeRight = 'write' } = paths;
  const { resource } = rules;
  const collection = collectionOf(paths);
  return defineOperation<Input>({
    ...frame(paths, 'create'),
    method: 'POST',
    path: collection,
    summary: `Create ${oneOfItsKind(resource)}`,
    right: writeRight,
    mode: 'write',
    query: {},
    body: creation.body,
    answers: {
      201: {
        description: `The new ${wordsOf(resource)}.`,
        schema: creation.answerSchema,
        headers: { Location: 'Its address.', ETag: 'Its entity tag.' },
      },
    },
    refusals: [...writeRefusalsOf(rules, { wire: 'v1', purpose: 'create' }), ...(creation.refusals ?? [])],
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

export function changePath<R extends Resource>(paths: V1ChangePaths<R>): Operation {
  const { rules, writeRight = 'write' } = paths;
  const { resource } = rules;
  return defineOperation({
    ...frame(paths, 'change'),
    method: 'PATCH',
    path: itemOf(paths),
    summary: `Change ${oneOfItsKind(resource)}`,
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
    refusals: [
      notFoundOf(resource),
      'id-mismatch',
      'precondition-failed',
      ...writeRefusalsOf(rules, { wire: 'v1', purpose: 'change' }),
    ],
    read: ({ body, params }) => readFlat(resource, body, { wire: 'v1', purpose: 'change', id: params['id']! }),
    async handle(ask, asked) {
      const changed = await changeThing(ask.work, rules, ask.params['id']!, asked as any, ifMatchGuard(ask, resource));
      const body = renderV1(resource, changed);
      return { status: 200, headers: { etag: entityTag(writeJson(body)) }, body };
    },
  });
}

export function deletePath<R extends Resource>(paths: V1DeletePaths<R>): Operation {
  const { rules, writeRight = 'write' } = paths;
  const { resource } = rules;
  return defineOperation<void>({
    ...frame(paths, 'delete'),
    method: 'DELETE',
    path: itemOf(paths),
    summary: `Delete ${oneOfItsKind(resource)}`,
    right: writeRight,
    mode: 'write',
    query: {},
    answers: { 204: { description: 'It is gone. Deleting it again answers 404.' } },
    refusals: [...deleteRefusalsOf(resource), 'precondition-failed'],
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
