// The paths any resource has on the JSON:API wire, made from its declaration.

import type { RecordOf, Resource } from '../../kit/resource.ts';
import { wordsOf, type AnyRecord } from '../../kit/resource.ts';
import type { RefusalCode } from '../../model/refusals.ts';
import { changeThing, createThing, deleteThing, getThing, type WriteRules } from '../../actions/resource.ts';
import { defineOperation, type Operation } from '../http/operation.ts';
import { cappedList, cappedListSchema } from '../http/row-cap.ts';
import { documentExample, documentSchema, resourceSchema } from './document-schema.ts';
import { readDocument, renderResource } from './document.ts';
import { jsonApi } from './wire.ts';

export interface JsonApiPaths<R extends Resource> {
  readonly rules: WriteRules<R>;
  readonly collection: string;
  readonly item: string;
  /** What creating or changing can be refused with beyond a bad document. */
  readonly writeRefusals: readonly RefusalCode[];
}

export function jsonApiPaths<R extends Resource>(paths: JsonApiPaths<R>): readonly Operation[] {
  return [listPath(paths), createPath(paths), readPath(paths), changePath(paths), deletePath(paths)];
}

function frame<R extends Resource>({ rules }: JsonApiPaths<R>, verb: string) {
  const { resource } = rules;
  return { id: `json-api.${resource.type}.${verb}`, wire: jsonApi, group: resource.plural, resource, query: {} };
}

function notFoundOf(resource: Resource): RefusalCode {
  return `${resource.type}-not-found` as RefusalCode;
}

function rendered<R extends Resource>(resource: R, record: RecordOf<R>): { data: unknown } {
  return { data: renderResource(resource, record as AnyRecord) };
}

function single(resource: Resource) {
  return {
    type: 'object',
    required: ['data'],
    properties: { data: resourceSchema(resource) },
    additionalProperties: false,
  };
}

function listPath<R extends Resource>(paths: JsonApiPaths<R>): Operation {
  const { rules, collection } = paths;
  const { resource } = rules;
  const schema = cappedListSchema(resourceSchema(resource));
  return defineOperation<void>({
    ...frame(paths, 'list'),
    method: 'GET',
    path: collection,
    summary: `List ${resource.plural}`,
    right: 'read',
    mode: 'read',
    heavy: true,
    answers: { 200: { description: `The ${resource.plural} the token sees, oldest first.`, schema } },
    refusals: [],
    read: () => undefined,
    handle: async ({ work }) => ({
      status: 200,
      body: await cappedList(work, rules, (record) => renderResource(resource, record)),
    }),
  });
}

function readPath<R extends Resource>(paths: JsonApiPaths<R>): Operation {
  const { rules, item } = paths;
  const { resource } = rules;
  return defineOperation<void>({
    ...frame(paths, 'read'),
    method: 'GET',
    path: item,
    summary: `Read one ${wordsOf(resource)}`,
    right: 'read',
    mode: 'read',
    answers: { 200: { description: `The ${wordsOf(resource)}.`, schema: single(resource) } },
    refusals: [notFoundOf(resource)],
    read: () => undefined,
    handle: async ({ work, params }) => ({
      status: 200,
      body: rendered(resource, await getThing(work, rules, params['id']!)),
    }),
  });
}

function createPath<R extends Resource>(paths: JsonApiPaths<R>): Operation {
  const { rules, collection, item, writeRefusals } = paths;
  const { resource } = rules;
  return defineOperation({
    ...frame(paths, 'create'),
    method: 'POST',
    path: collection,
    summary: `Create a ${wordsOf(resource)}`,
    right: 'write',
    mode: 'write',
    body: { schema: documentSchema(resource, 'create'), example: documentExample(resource, 'create') },
    answers: {
      201: {
        description: `The new ${wordsOf(resource)}.`,
        schema: single(resource),
        headers: { Location: 'Its address.' },
      },
    },
    refusals: ['type-mismatch', 'client-generated-id', 'outside-reach', ...writeRefusals],
    read: ({ body }) => readDocument(resource, body, { purpose: 'create' }),
    async handle({ work }, asked) {
      const record = await createThing(work, rules, asked as any);
      const location = `${work.house.addresses.legacyUrl}${item.replace('{id}', record.id)}`;
      return { status: 201, headers: { location }, body: rendered(resource, record) };
    },
  });
}

function changePath<R extends Resource>(paths: JsonApiPaths<R>): Operation {
  const { rules, item, writeRefusals } = paths;
  const { resource } = rules;
  return defineOperation({
    ...frame(paths, 'change'),
    method: 'PATCH',
    path: item,
    summary: `Change a ${wordsOf(resource)}`,
    right: 'write',
    mode: 'write',
    body: { schema: documentSchema(resource, 'change'), example: documentExample(resource, 'change') },
    answers: { 200: { description: `The ${wordsOf(resource)} as it is now.`, schema: single(resource) } },
    refusals: ['type-mismatch', 'id-mismatch', 'outside-reach', notFoundOf(resource), ...writeRefusals],
    read: ({ body, params }) => readDocument(resource, body, { purpose: 'change', id: params['id']! }),
    handle: async ({ work, params }, asked) => ({
      status: 200,
      body: rendered(resource, await changeThing(work, rules, params['id']!, asked as any)),
    }),
  });
}

function deletePath<R extends Resource>(paths: JsonApiPaths<R>): Operation {
  const { rules, item } = paths;
  const { resource } = rules;
  return defineOperation<void>({
    ...frame(paths, 'delete'),
    method: 'DELETE',
    path: item,
    summary: `Delete a ${wordsOf(resource)}`,
    right: 'write',
    mode: 'write',
    answers: { 204: { description: 'It is gone. Deleting it again answers 404.' } },
    refusals: [notFoundOf(resource), ...((resource.kept ? [resource.kept.code] : []) as RefusalCode[])],
    read: () => undefined,
    async handle({ work, params }) {
      await deleteThing(work, rules, params['id']!);
      return { status: 204 };
    },
  });
}
