// Instrument classes on JSON:API: read only, with and without their details.

import type { Resource } from '../../kit/resource.ts';
import { instrumentClass, instrumentClassDetailed } from '../../model/instrument/instrument-class.ts';
import { instrumentClassRules } from '../../actions/instruments/instrument-class.ts';
import { getRecord } from '../../actions/core/resource.ts';
import { defineOperation, type Operation } from '../http/operation/operation.ts';
import { pathParameter } from '../http/operation/path-parameter.ts';
import { renderResource } from './document.ts';
import { responseDocumentSchema } from './document-schema.ts';
import { jsonApi } from './wire.ts';

function classPath(shape: Resource, summary: string): Operation {
  return defineOperation<void>({
    id: `json-api.${shape.type}.read`,
    wire: jsonApi,
    group: instrumentClass.plural,
    resource: shape,
    method: 'GET',
    path: `/api/v3/${shape.plural}/{id}`,
    summary,
    right: 'read',
    mode: 'read',
    query: {},
    responses: { 200: { description: 'The instrument class.', schema: responseDocumentSchema(shape) } },
    refusals: ['instrument-class-not-found'],
    read: () => undefined,
    async handle({ work, params }) {
      const found = await getRecord(work, instrumentClassRules, pathParameter(params, 'id'));
      return { status: 200, body: { data: renderResource(shape, found) } };
    },
  });
}

export const jsonApiInstrumentClassPaths = [
  classPath(instrumentClass, 'Read one instrument class'),
  classPath(instrumentClassDetailed, 'Read one instrument class with its details'),
];
