// The paths any resource has on the Plain wire: reading only, unless its own file says more.

import type { AnyRecord, Resource } from '../../kit/resource.ts';
import { wordsOf } from '../../kit/resource.ts';
import { getThing, type Rules } from '../../actions/core/resource.ts';
import { flatSchema, renderFlat } from '../snake-case/snake-case-object.ts';
import { defineOperation, type Operation } from '../http/operation/operation.ts';
import { cappedList, cappedListSchema } from '../http/lists/row-cap.ts';
import { notFoundOf } from '../http/operation/write-refusals.ts';
import { plain } from './wire.ts';

export interface PlainPaths<R extends Resource> {
  readonly rules: Rules<R>;
  readonly collection: string;
  readonly item: string;
}

export function plainPaths<R extends Resource>(paths: PlainPaths<R>): readonly Operation[] {
  return [listPath(paths), readPath(paths)];
}

function listPath<R extends Resource>({ rules, collection }: PlainPaths<R>): Operation {
  const { resource } = rules;
  return defineOperation<void>({
    id: `plain.${resource.type}.list`,
    wire: plain,
    method: 'GET',
    path: collection,
    summary: `List ${resource.plural}`,
    description: 'A token bound to one client sees that client only.',
    group: resource.plural,
    resource,
    right: 'read',
    mode: 'read',
    heavy: true,
    query: {},
    answers: {
      200: {
        description: `The ${resource.plural} the token sees, oldest first.`,
        schema: cappedListSchema(flatSchema(resource, plain)),
      },
    },
    refusals: [],
    read: () => undefined,
    handle: async ({ work }) => ({
      status: 200,
      body: await cappedList(work, { rules, where: {} }, (record) => renderFlat(resource, record, plain)),
    }),
  });
}

function readPath<R extends Resource>({ rules, item }: PlainPaths<R>): Operation {
  const { resource } = rules;
  return defineOperation<void>({
    id: `plain.${resource.type}.read`,
    wire: plain,
    method: 'GET',
    path: item,
    summary: `Read one ${wordsOf(resource)}`,
    group: resource.plural,
    resource,
    right: 'read',
    mode: 'read',
    query: {},
    answers: { 200: { description: `The ${wordsOf(resource)}.`, schema: flatSchema(resource, plain) } },
    refusals: [notFoundOf(resource)],
    read: () => undefined,
    async handle({ work, params }) {
      return {
        status: 200,
        body: renderFlat(resource, (await getThing(work, rules, params['id']!)) as AnyRecord, plain),
      };
    },
  });
}
