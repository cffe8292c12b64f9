// The v1 paths of any resource, made from its declaration: pages, conditional reads, and changes guarded by entity tags.

import {
  resourceLabelWithArticle,
  resourceLabel,
  resourceLabelPlural,
  type AnyChange,
  type ChangeOf,
  type RecordOf,
  type Resource,
} from '../../kit/resource.ts';
import { type Json, writeJson } from '../../kit/json.ts';
import type { Right } from '../../model/access/scope.ts';
import type { Role } from '../../model/people/role.ts';
import type { RefusalCode } from '../../model/refusals/refusals.ts';
import type {
  ChangeActions,
  DeleteActions,
  ReadActions,
  WriteActions,
  WriteRefusals,
} from '../../actions/core/record-actions.ts';
import { requireFilterTargets } from '../../actions/core/filter-targets.ts';
import type { Guard } from '../../actions/core/resource.ts';
import type { Work } from '../../actions/core/work.ts';
import {
  snakeCaseBodySchema,
  snakeCaseExample,
  snakeCaseSchema,
  readSnakeCase,
  renderSnakeCase,
} from '../snake-case/snake-case-object.ts';
import { pageSchema } from '../http/lists/cursor-page.ts';
import { defineOperation, type RequestContext, type Operation } from '../http/operation/operation.ts';
import { pathParameter } from '../http/operation/path-parameter.ts';
import { deleteRefusals, notFoundCode, writeRefusals } from '../http/operation/write-refusals.ts';
import { entityTag } from '../http/negotiation/entity-tag.ts';
import { checkIfMatch } from './conditional.ts';
import {
  filterParameters,
  filterRefusals,
  filterTargets,
  resourceFilters,
  searchParameters,
  readFilters,
  readSearchWords,
} from './filters.ts';
import { knownAtParameter, readKnownAt } from './known-at.ts';
import { listPage, pageParameters } from './page.ts';
import { v1 } from './wire.ts';

export interface V1Paths<R extends Resource> {
  readonly actions: ReadActions<R>;
  readonly order?: 'oldest-first' | 'newest-first';
  /** The rights to read and to write; `read` and `write` by default. */
  readonly readRight?: Right;
  readonly writeRight?: Right;
  /** The roles that let people read and write; without one, people may not. */
  readonly readers?: Role;
  readonly writers?: Role;
  /** For filters by records that are no declared relation. */
  readonly otherTargets?: OtherTargets;
}

interface OtherTargets {
  readonly refusals: readonly RefusalCode[];
  /** Refuses filters by records that do not exist. Called where a list found nothing. */
  require(work: Work, where: AnyChange): Promise<void>;
}

/** For a resource that can be deleted. */
interface V1DeletePaths<R extends Resource> extends V1Paths<R> {
  readonly actions: DeleteActions<R>;
}

/** For a resource that can be created. */
interface V1CreatePaths<R extends Resource> extends V1Paths<R> {
  readonly actions: ReadActions<R> & WriteRefusals;
}

/** For a resource that can be changed. */
export interface V1ChangePaths<R extends Resource> extends V1Paths<R> {
  readonly actions: ChangeActions<R>;
}

/** For a resource that can be created from its declared fields alone. */
interface V1WritePaths<R extends Resource> extends V1Paths<R> {
  readonly actions: WriteActions<R>;
}

export function v1Paths<R extends Resource>(paths: V1WritePaths<R>): readonly Operation[] {
  const { resource } = paths.actions;
  const creation: V1Creation<R, ChangeOf<R>> = {
    body: { schema: snakeCaseBodySchema(resource, v1, 'create'), example: snakeCaseExample(resource, v1, 'create') },
    responseSchema: snakeCaseSchema(resource, v1),
    read: (fields) => fields,
    create: async ({ work }, fields) => ({ record: await paths.actions.create(work, fields) }),
  };
  return [
    v1ListPath(paths),
    v1CreatePath(paths, creation),
    v1ReadPath(paths),
    v1ChangePath(paths),
    v1DeletePath(paths),
  ];
}

function operationBase<R extends Resource>({ actions: { resource }, readers, writers }: V1Paths<R>, verb: string) {
  const role = verb === 'list' || verb === 'read' ? readers : writers;
  const people = role === undefined ? {} : { people: role };
  return { id: `v1.${resource.type}.${verb}`, wire: v1, group: resource.plural, resource, ...people };
}

function collectionPath<R extends Resource>({ actions: { resource } }: V1Paths<R>): string {
  return `/v1/${resource.plural}`;
}

function itemPath<R extends Resource>(paths: V1Paths<R>): string {
  return `${collectionPath(paths)}/{id}`;
}

export function renderV1<R extends Resource>(resource: R, record: RecordOf<R>): Record<string, unknown> {
  return renderSnakeCase(resource, record, v1);
}

export function v1ListPath<R extends Resource>(paths: V1Paths<R>): Operation {
  const { actions, order = 'oldest-first', readRight = 'read', otherTargets } = paths;
  const { resource } = actions;
  const filters = resourceFilters(resource);
  const collection = collectionPath(paths);
  return defineOperation<void>({
    ...operationBase(paths, 'list'),
    method: 'GET',
    path: collection,
    summary: `List ${resourceLabelPlural(resource)}`,
    right: readRight,
    mode: 'read',
    query: { ...pageParameters, ...filterParameters(filters), ...searchParameters(resource) },
    responses: {
      200: { description: `A page, ${order.replace('-', ' ')}.`, schema: pageSchema(snakeCaseSchema(resource, v1)) },
    },
    refusals: ['cursor-invalid', 'cursor-expired', ...filterRefusals(filters), ...(otherTargets?.refusals ?? [])],
    read: () => undefined,
    async handle(request) {
      const where = readFilters(filters, request.query);
      const words = readSearchWords(resource, request.query);
      const page = await listPage(request, { operation: collection, actions, where, words, order });
      if (page.data.length === 0) {
        await requireFilterTargets(request.work, filterTargets(filters, request.query));
        await otherTargets?.require(request.work, where);
      }
      return { status: 200, body: { ...page, data: page.data.map((record) => renderV1(resource, record)) } };
    },
  });
}

export function v1ReadPath<R extends Resource>(paths: V1Paths<R>): Operation {
  const { actions, readRight = 'read' } = paths;
  const { resource } = actions;
  return defineOperation<void>({
    ...operationBase(paths, 'read'),
    method: 'GET',
    path: itemPath(paths),
    summary: `Read one ${resourceLabel(resource)}`,
    right: readRight,
    mode: 'read',
    query: resource.versions === undefined ? {} : knownAtParameter,
    responses: { 200: { description: `The ${resourceLabel(resource)}.`, schema: snakeCaseSchema(resource, v1) } },
    refusals: [notFoundCode(resource)],
    read: () => undefined,
    async handle(request) {
      const { knownAt } = readKnownAt(request);
      return {
        status: 200,
        body: renderV1(resource, await actions.get(request.work, pathParameter(request.params, 'id'), knownAt)),
      };
    },
  });
}

/** How a record is created: with the declared fields, or with more where a resource says so. */
interface V1Creation<R extends Resource, Input> {
  readonly body: NonNullable<Operation['body']>;
  readonly responseSchema: { readonly [keyword: string]: unknown };
  readonly otherMembers?: readonly string[];
  /** Refusals beyond the rules of the resource. */
  readonly refusals?: readonly RefusalCode[];
  readonly answersSecret?: true;
  read(fields: ChangeOf<R>, request: { body: Json | undefined }): Input;
  create(request: RequestContext, input: Input): Promise<{ record: RecordOf<R>; more?: Record<string, unknown> }>;
}

export function v1CreatePath<R extends Resource, Input>(
  paths: V1CreatePaths<R>,
  creation: V1Creation<R, Input>,
): Operation {
  const { actions, writeRight = 'write' } = paths;
  const { resource } = actions;
  const collection = collectionPath(paths);
  return defineOperation<Input>({
    ...operationBase(paths, 'create'),
    method: 'POST',
    path: collection,
    summary: `Create ${resourceLabelWithArticle(resource)}`,
    right: writeRight,
    mode: 'write',
    query: {},
    body: creation.body,
    responses: {
      201: {
        description: `The new ${resourceLabel(resource)}.`,
        schema: creation.responseSchema,
        headers: { Location: 'Its address.', ETag: 'Its entity tag.' },
      },
    },
    refusals: [...writeRefusals(actions, { wire: v1, purpose: 'create' }), ...(creation.refusals ?? [])],
    ...(creation.answersSecret ? { answersSecret: true } : {}),
    read(parsed) {
      const fields = readSnakeCase(resource, parsed.body, {
        wire: v1,
        purpose: 'create',
        ...(creation.otherMembers ? { otherMembers: creation.otherMembers } : {}),
      });
      return creation.read(fields, { body: parsed.body });
    },
    async handle(request, input) {
      const { record, more = {} } = await creation.create(request, input);
      const location = `${request.work.context.addresses.baseUrl}${collection}/${record.id}`;
      const body = renderV1(resource, record);
      return { status: 201, headers: { location, etag: entityTag(writeJson(body)) }, body: { ...body, ...more } };
    },
  });
}

export function v1ChangePath<R extends Resource>(paths: V1ChangePaths<R>): Operation {
  const { actions, writeRight = 'write' } = paths;
  const { resource } = actions;
  return defineOperation({
    ...operationBase(paths, 'change'),
    method: 'PATCH',
    path: itemPath(paths),
    summary: `Change ${resourceLabelWithArticle(resource)}`,
    right: writeRight,
    mode: 'write',
    query: {},
    body: { schema: snakeCaseBodySchema(resource, v1, 'change'), example: snakeCaseExample(resource, v1, 'change') },
    responses: {
      200: {
        description: `The ${resourceLabel(resource)} as it is now.`,
        schema: snakeCaseSchema(resource, v1),
        headers: { ETag: 'Its entity tag.' },
      },
    },
    refusals: [
      notFoundCode(resource),
      'id-mismatch',
      'precondition-failed',
      ...writeRefusals(actions, { wire: v1, purpose: 'change' }),
    ],
    read: ({ body, params }) =>
      readSnakeCase(resource, body, { wire: v1, purpose: 'change', id: pathParameter(params, 'id') }),
    async handle(request, fields) {
      const changed = await actions.change(
        request.work,
        pathParameter(request.params, 'id'),
        fields,
        ifMatchGuard(request, resource),
      );
      const body = renderV1(resource, changed);
      return { status: 200, headers: { etag: entityTag(writeJson(body)) }, body };
    },
  });
}

export function v1DeletePath<R extends Resource>(paths: V1DeletePaths<R>): Operation {
  const { actions, writeRight = 'write' } = paths;
  const { resource } = actions;
  return defineOperation<void>({
    ...operationBase(paths, 'delete'),
    method: 'DELETE',
    path: itemPath(paths),
    summary: `Delete ${resourceLabelWithArticle(resource)}`,
    right: writeRight,
    mode: 'write',
    query: {},
    responses: { 204: { description: 'It is gone. Deleting it again answers 404.' } },
    refusals: [...deleteRefusals(resource), ...(actions.deletionRefusals ?? []), 'precondition-failed'],
    read: () => undefined,
    async handle(request) {
      await actions.delete(request.work, pathParameter(request.params, 'id'), ifMatchGuard(request, resource));
      return { status: 204 };
    },
  });
}

/** Checks If-Match against the record as it is in this transaction. */
function ifMatchGuard<R extends Resource>({ headers }: RequestContext, resource: R): Guard<R> {
  return (present) => checkIfMatch(headers['if-match'], () => writeJson(renderV1(resource, present)));
}
