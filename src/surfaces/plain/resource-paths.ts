// The Plain paths of any resource: reading only. Other paths of a resource are declared in its own file.

import type { Resource } from '../../kit/resource.ts';
import { resourceLabel } from '../../kit/resource.ts';
import type { ReadActions } from '../../actions/core/record-actions.ts';
import { snakeCaseSchema, renderSnakeCase } from '../snake-case/snake-case-object.ts';
import { defineOperation, type Operation } from '../http/operation/operation.ts';
import { pathParameter } from '../http/operation/path-parameter.ts';
import { cappedList, cappedListSchema } from '../http/lists/row-cap.ts';
import { notFoundCode } from '../http/operation/write-refusals.ts';
import { plain } from './wire.ts';

interface PlainPaths<R extends Resource> {
  readonly actions: ReadActions<R>;
  readonly collection: string;
  readonly item: string;
}

export function plainPaths<R extends Resource>(paths: PlainPaths<R>): readonly Operation[] {
  return [listPath(paths), readPath(paths)];
}

function listPath<R extends Resource>({ actions, collection }: PlainPaths<R>): Operation {
  const { resource } = actions;
  return defineOperation<void>({
    id: `plain.${resource.type}.list`,
    wire: plain,
    method: 'GET',
    path: collection,
    summary: `List ${resource.plural}`,
    group: resource.plural,
    resource,
    right: 'read',
    mode: 'read',
    heavy: true,
    query: {},
    responses: {
      200: {
        description: `The ${resource.plural} the token sees, oldest first.`,
        schema: cappedListSchema(snakeCaseSchema(resource, plain)),
      },
    },
    refusals: [],
    read: () => undefined,
    handle: async ({ work }) => ({
      status: 200,
      body: await cappedList(work, { actions, where: {} }, (record) => renderSnakeCase(resource, record, plain)),
    }),
  });
}

function readPath<R extends Resource>({ actions, item }: PlainPaths<R>): Operation {
  const { resource } = actions;
  return defineOperation<void>({
    id: `plain.${resource.type}.read`,
    wire: plain,
    method: 'GET',
    path: item,
    summary: `Read one ${resourceLabel(resource)}`,
    group: resource.plural,
    resource,
    right: 'read',
    mode: 'read',
    query: {},
    responses: { 200: { description: `The ${resourceLabel(resource)}.`, schema: snakeCaseSchema(resource, plain) } },
    refusals: [notFoundCode(resource)],
    read: () => undefined,
    async handle({ work, params }) {
      return {
        status: 200,
        body: renderSnakeCase(resource, await actions.get(work, pathParameter(params, 'id')), plain),
      };
    },
  });
}
