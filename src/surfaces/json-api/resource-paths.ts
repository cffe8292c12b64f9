// The JSON:API paths of any resource, made from its declaration: at the top level, or below another record.

import { defined } from '../../kit/assert.ts';
import { id as idKind } from '../../kit/field.ts';
import {
  resourceLabelWithArticle,
  resourceLabel,
  type AnyChange,
  type RecordOf,
  type Resource,
} from '../../kit/resource.ts';
import type { Role } from '../../model/people/role.ts';
import { getResource } from '../../model/resources.ts';
import { requireFilterTargets, type FilterTarget } from '../../actions/core/filter-targets.ts';
import type {
  ChangeActions,
  CreateActions,
  DeleteActions,
  ReadActions,
  WriteActions,
} from '../../actions/core/record-actions.ts';
import { defineOperation, type Operation } from '../http/operation/operation.ts';
import { pathParameter } from '../http/operation/path-parameter.ts';
import { cappedList, cappedListSchema } from '../http/lists/row-cap.ts';
import { deleteRefusals, notFoundCode, writeRefusals } from '../http/operation/write-refusals.ts';
import { documentExample, documentSchema, responseDocumentSchema, resourceSchema } from './document-schema.ts';
import { readDocument, renderResource } from './document.ts';
import { jsonApi } from './wire.ts';

/** The record below which others are listed and created: its parameter in the path, and their relation to it. */
interface ParentPath {
  readonly actions: ReadActions<any>;
  readonly parameter: string;
  readonly relation: string;
}

interface JsonApiPaths<R extends Resource, A extends ReadActions<R> = ReadActions<R>> {
  readonly actions: A;
  readonly parent?: ParentPath;
  readonly version?: 'v2' | 'v3';
  /** Their name in paths below another record, plural and singular, where it differs from their own. */
  readonly alias?: { readonly collection: string; readonly one: string };
  /** The fields that a list can be filtered by, and the values that all records in it have. */
  readonly filters?: readonly string[];
  readonly where?: AnyChange;
  /** The type of the example of a new record, where there are several types. */
  readonly exampleType?: string;
  /** The role that lets people read; without one, people may not. */
  readonly readers?: Role;
}

export function jsonApiPaths<R extends Resource>(paths: JsonApiPaths<R, WriteActions<R>>): readonly Operation[] {
  return [
    jsonApiListPath(paths),
    jsonApiCreatePath(paths),
    jsonApiReadPath(paths),
    jsonApiChangePath(paths),
    jsonApiDeletePath(paths),
  ];
}

function rootPath<R extends Resource>({ version = 'v2' }: JsonApiPaths<R>): string {
  return `/api/${version}`;
}

function collectionPath<R extends Resource>(paths: JsonApiPaths<R>): string {
  const { actions, parent, alias } = paths;
  const { plural } = actions.resource;
  if (parent === undefined) return `${rootPath(paths)}/${plural}`;
  // Under another name, records are created below their parent but read at the path of their own type.
  if (alias) return `${rootPath(paths)}/${plural}/{${parent.parameter}}/${alias.collection}`;
  return `${rootPath(paths)}/${parent.actions.resource.plural}/{${parent.parameter}}/${plural}`;
}

function itemPath<R extends Resource>(paths: JsonApiPaths<R>): string {
  return `${rootPath(paths)}/${paths.actions.resource.plural}/{id}`;
}

function operationBase<R extends Resource>({ actions, alias, readers }: JsonApiPaths<R>, verb: string) {
  const { resource } = actions;
  const people = readers !== undefined && (verb === 'list' || verb === 'read') ? { people: readers } : {};
  const id = `json-api.${alias?.one ?? resource.type}.${verb}`;
  return { id, wire: jsonApi, group: resource.plural, resource, query: {}, ...people };
}

/** A query parameter for each of these fields, under its declared name. */
function filterParameters({ attributes, relations }: Resource, fields: readonly string[]): Operation['query'] {
  const parameters = fields.map((name) => {
    const kind = name in relations ? idKind : defined(attributes[name], 'a filter names a declared field').kind;
    return [name, { kind, description: `Only those with this \`${name}\`.` }] as const;
  });
  return Object.fromEntries(parameters);
}

/** The filters that take the id of a record, each with the resource of that record. */
function filterResources({ relations }: Resource, fields: readonly string[]): readonly (readonly [string, Resource])[] {
  return fields.flatMap((name) => {
    const relation = relations[name];
    return relation === undefined ? [] : [[name, getResource(relation.to)] as const];
  });
}

function filterTargets(
  resources: readonly (readonly [string, Resource])[],
  query: Readonly<Record<string, string | undefined>>,
): FilterTarget[] {
  return resources.flatMap(([parameter, resource]) => {
    const id = query[parameter];
    return id === undefined ? [] : [{ resource, id, parameter }];
  });
}

function dataDocument<R extends Resource>(resource: R, record: RecordOf<R>): { data: unknown } {
  return { data: renderResource(resource, record) };
}

export function jsonApiListPath<R extends Resource>(paths: JsonApiPaths<R>): Operation {
  const { actions, parent, alias, filters = [], where: fixedWhere = {} } = paths;
  const description = alias && {
    description: 'Only those of one reporting entity: nobody who cannot see it finds them.',
  };
  const { resource } = actions;
  const plural = (alias?.collection ?? resource.plural).replaceAll('-', ' ');
  const ownerText = parent === undefined ? 'the token sees' : `of the ${resourceLabel(parent.actions.resource)}`;
  return defineOperation<void>({
    ...operationBase(paths, 'list'),
    method: 'GET',
    path: collectionPath(paths),
    summary:
      parent === undefined
        ? `List ${plural}`
        : `List ${plural} of ${resourceLabelWithArticle(parent.actions.resource)}`,
    ...description,
    right: 'read',
    mode: 'read',
    heavy: true,
    query: filterParameters(resource, filters),
    responses: {
      200: {
        description: `The ${plural} ${ownerText}, oldest first.`,
        schema: cappedListSchema(resourceSchema(resource)),
      },
    },
    refusals: [
      ...(parent === undefined ? [] : [notFoundCode(parent.actions.resource)]),
      ...filterResources(resource, filters).map(([, target]) => notFoundCode(target)),
    ],
    read: () => undefined,
    async handle({ work, params, query }) {
      const parentFilter = parent === undefined ? {} : { [parent.relation]: params[parent.parameter] };
      const where = { ...fixedWhere, ...query, ...parentFilter };
      const body = await cappedList(work, { actions, where }, (record) => renderResource(resource, record));
      // A list that is not empty proves that the parent exists.
      if (parent !== undefined && body.data.length === 0)
        await parent.actions.get(work, pathParameter(params, parent.parameter));
      if (body.data.length === 0)
        await requireFilterTargets(work, filterTargets(filterResources(resource, filters), query));
      return { status: 200, body };
    },
  });
}

export function jsonApiReadPath<R extends Resource>(paths: JsonApiPaths<R>): Operation {
  const { actions } = paths;
  const { resource } = actions;
  return defineOperation<void>({
    ...operationBase(paths, 'read'),
    method: 'GET',
    path: itemPath(paths),
    summary: `Read one ${resourceLabel(resource)}`,
    right: 'read',
    mode: 'read',
    responses: { 200: { description: `The ${resourceLabel(resource)}.`, schema: responseDocumentSchema(resource) } },
    refusals: [notFoundCode(resource)],
    read: () => undefined,
    handle: async ({ work, params }) => ({
      status: 200,
      body: dataDocument(resource, await actions.get(work, pathParameter(params, 'id'))),
    }),
  });
}

export function jsonApiCreatePath<R extends Resource>(paths: JsonApiPaths<R, CreateActions<R>>): Operation {
  const { actions, parent, alias } = paths;
  const { resource } = actions;
  const settable = { purpose: 'create', parent: parent?.relation, exampleType: paths.exampleType } as const;
  return defineOperation({
    ...operationBase(paths, 'create'),
    method: 'POST',
    path: collectionPath(paths),
    summary: `Create ${alias === undefined ? resourceLabelWithArticle(resource) : `a ${alias.one.replaceAll('-', ' ')}`}`,
    ...(alias && { description: 'It belongs to one reporting entity: nobody who cannot see that finds it.' }),
    right: 'write',
    mode: 'write',
    ...(parent === undefined ? {} : { fieldInPath: parent.relation }),
    body: { schema: documentSchema(resource, settable), example: documentExample(resource, settable) },
    responses: {
      201: {
        description: `The new ${resourceLabel(resource)}.`,
        schema: responseDocumentSchema(resource),
        headers: { Location: 'Its address.' },
      },
    },
    refusals: [
      'type-mismatch',
      'client-generated-id',
      ...writeRefusals(actions, { wire: jsonApi, purpose: 'create' }),
      ...(parent === undefined ? [] : [notFoundCode(parent.actions.resource)]),
    ],
    read: ({ body, params }) =>
      readDocument(resource, body, {
        purpose: 'create',
        ...(parent === undefined
          ? {}
          : { parent: { relation: parent.relation, id: pathParameter(params, parent.parameter) } }),
      }),
    async handle({ work }, input) {
      const record = await actions.create(work, input);
      const location = `${work.context.addresses.legacyUrl}${itemPath(paths).replace('{id}', record.id)}`;
      return { status: 201, headers: { location }, body: dataDocument(resource, record) };
    },
  });
}

function jsonApiChangePath<R extends Resource>(paths: JsonApiPaths<R, ChangeActions<R>>): Operation {
  const { actions } = paths;
  const { resource } = actions;
  const settable = { purpose: 'change', parent: undefined } as const;
  return defineOperation({
    ...operationBase(paths, 'change'),
    method: 'PATCH',
    path: itemPath(paths),
    summary: `Change ${resourceLabelWithArticle(resource)}`,
    right: 'write',
    mode: 'write',
    body: { schema: documentSchema(resource, settable), example: documentExample(resource, settable) },
    responses: {
      200: { description: `The ${resourceLabel(resource)} as it is now.`, schema: responseDocumentSchema(resource) },
    },
    refusals: [
      'type-mismatch',
      'id-mismatch',
      notFoundCode(resource),
      ...writeRefusals(actions, { wire: jsonApi, purpose: 'change' }),
    ],
    read: ({ body, params }) => readDocument(resource, body, { purpose: 'change', id: pathParameter(params, 'id') }),
    handle: async ({ work, params }, input) => ({
      status: 200,
      body: dataDocument(resource, await actions.change(work, pathParameter(params, 'id'), input)),
    }),
  });
}

export function jsonApiDeletePath<R extends Resource>(paths: JsonApiPaths<R, DeleteActions<R>>): Operation {
  const { actions } = paths;
  const { resource } = actions;
  return defineOperation<void>({
    ...operationBase(paths, 'delete'),
    method: 'DELETE',
    path: itemPath(paths),
    summary: `Delete ${resourceLabelWithArticle(resource)}`,
    right: 'write',
    mode: 'write',
    responses: { 204: { description: 'It is gone. Deleting it again answers 404.' } },
    refusals: deleteRefusals(resource),
    read: () => undefined,
    async handle({ work, params }) {
      await actions.delete(work, pathParameter(params, 'id'));
      return { status: 204 };
    },
  });
}
