// What the reports of v1 have in common: parameters and refusals.

import { id } from '../../../kit/field.ts';
import { exampleIdOfType } from '../../../kit/resource.ts';
import { reportingEntity } from '../../../model/structure/reporting-entity.ts';
import type { RefusalCode } from '../../../model/refusals/refusals.ts';
import type { RequestContext, Operation, Parameter } from '../../http/operation/operation.ts';
import { notFoundCode } from '../../http/operation/write-refusals.ts';
import { knownAtParameter, readKnownAt, type KnownAtOption } from '../known-at.ts';
import { v1 } from '../wire.ts';

export const v1Style = v1.style;

export const reportParameters = {
  reporting_entity_id: {
    kind: id,
    description: 'The reporting entity of the report.',
    required: true,
    example: exampleIdOfType('reporting-entity'),
  },
  ...knownAtParameter,
} as const satisfies Record<string, Parameter>;

/** The common properties of report operations. */
export const reportOperationBase = {
  wire: v1,
  method: 'GET',
  right: 'read',
  mode: 'read',
  heavy: true,
  threadKey: ({ query }) => query['reporting_entity_id'],
  read: () => undefined,
} as const satisfies Partial<Operation<void>>;

export const reportRefusals: readonly RefusalCode[] = [notFoundCode(reportingEntity), 'fx-rate-missing'];
export const pagedReportRefusals: readonly RefusalCode[] = [...reportRefusals, 'cursor-invalid', 'cursor-expired'];

interface ReportInput extends KnownAtOption {
  readonly reportingEntity: string;
}

export function readReportInput(request: RequestContext): ReportInput {
  return { reportingEntity: request.query['reporting_entity_id'], ...readKnownAt(request) };
}
