// Instrument classes on the Plain wire: read only, in the two shapes that the track has.

import type { AnyRecord, Resource } from '../../kit/resource.ts';
import { instrumentClass, instrumentClassDetailed } from '../../model/instrument/instrument-class.ts';
import { instrumentClassRules } from '../../actions/instruments/instrument-class.ts';
import { getThing } from '../../actions/core/resource.ts';
import { flatSchema, renderFlat } from '../snake-case/snake-case-object.ts';
import { defineOperation, type Operation } from '../http/operation/operation.ts';
import { plain } from './wire.ts';

function classPath(shape: Resource, summary: string): Operation {
  return defineOperation<void>({
    id: `plain.${shape.type}.read`,
    wire: plain,
    group: instrumentClass.plural,
    resource: shape,
    method: 'GET',
    path: `/v2/${shape.plural}/{id}`,
    summary,
    right: 'read',
    mode: 'read',
    query: {},
    answers: { 200: { description: 'The instrument class.', schema: flatSchema(shape, plain) } },
    refusals: ['instrument-class-not-found'],
    read: () => undefined,
    async handle({ work, params }) {
      const found = await getThing(work, instrumentClassRules, params['id']!);
      return { status: 200, body: renderFlat(shape, found as AnyRecord, plain) };
    },
  });
}

export const instrumentClassPaths = [
  classPath(instrumentClass, 'Read one instrument class'),
  classPath(instrumentClassDetailed, 'Read one instrument class with its details'),
];
