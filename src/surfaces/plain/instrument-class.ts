// Instrument classes on Plain: read only, with and without their details.

import type { Resource } from '../../kit/resource.ts';
import { instrumentClass, instrumentClassDetailed } from '../../model/instrument/instrument-class.ts';
import { instrumentClassRules } from '../../actions/instruments/instrument-class.ts';
import { getRecord } from '../../actions/core/resource.ts';
import { snakeCaseSchema, renderSnakeCase } from '../snake-case/snake-case-object.ts';
import { defineOperation, type Operation } from '../http/operation/operation.ts';
import { pathParameter } from '../http/operation/path-parameter.ts';
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
    responses: { 200: { description: 'The instrument class.', schema: snakeCaseSchema(shape, plain) } },
    refusals: ['instrument-class-not-found'],
    read: () => undefined,
    async handle({ work, params }) {
      const found = await getRecord(work, instrumentClassRules, pathParameter(params, 'id'));
      return { status: 200, body: renderSnakeCase(shape, found, plain) };
    },
  });
}

export const plainInstrumentClassPaths = [
  classPath(instrumentClass, 'Read one instrument class'),
  classPath(instrumentClassDetailed, 'Read one instrument class with its details'),
];
