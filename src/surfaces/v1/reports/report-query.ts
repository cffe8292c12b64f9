// What the reports of v1 have in common: parameters and refusals.

import { defined } from '../../../kit/assert.ts';
import { boolean, id, instant } from '../../../kit/field.ts';
import { member } from '../../../kit/structured-field.ts';
import { exampleIdOfType } from '../../../kit/resource.ts';
import { reportingEntity } from '../../../model/structure/reporting-entity.ts';
import type { RefusalCode } from '../../../model/refusals/refusals.ts';
import { momentOfAnswer } from '../../../actions/reports/report-day.ts';
import {
  defineOperation,
  type Operation,
  type OperationResponse,
  type Parameter,
  type RequestContext,
} from '../../http/operation/operation.ts';
import { notFoundCode } from '../../http/operation/write-refusals.ts';
import { knownAtParameter, readKnownAt, type KnownAtOption } from '../known-at.ts';
import { cursorParameter } from '../../http/lists/cursor-page.ts';
import { csvType } from '../ledger/transaction-export.ts';
import { pageParameters } from '../page.ts';
import { roundingChoice } from './report-rounding.ts';
import { v1 } from '../wire.ts';

/** A list that is always answered whole says so, like every list of v1. */
export const hasMoreMember = member(boolean, 'Whether more follows: never, since this list is not divided into pages.');

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

/** A cursor of a report names a day and a row, and no moment: the same answer has the same cursor, whenever it is asked for. */
export const reportPageParameters = {
  ...pageParameters,
  cursor: {
    ...cursorParameter,
    description:
      'Continues the report: `next_cursor` of the previous page, with the other parameters as before (`known_at` included). Does not expire.',
  },
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

const knownAtHeader = 'Known-At';
const roundingHeader = 'Rounding';

/** What the headers of a report say. */
const headerTexts = {
  [knownAtHeader]: 'The moment at which the figures were known. Send it as `known_at` to get the same answer later.',
  [roundingHeader]: 'How amounts are rounded: `none`, `minor`, or the number of digits.',
};

function reportHeaders(request: RequestContext, response: OperationResponse): Record<string, string> {
  const { query, work } = request;
  const knownAt: number =
    query['known_at'] ??
    query['to_known_at'] ??
    momentOfAnswer({ begunAt: work.now, readAt: work.readMoment.at, timeZone: work.context.timeZone });
  const format = response.headers?.['content-type']?.startsWith(csvType) ? 'csv' : 'json';
  return {
    [knownAtHeader]: String(instant.write(knownAt, v1Style)),
    [roundingHeader]: String(roundingChoice(request, format)),
  };
}

/**
 * Declares a report. Its answers name the moment at which their figures were known: sent as `known_at`, it gives the same bytes
 * later on. If it takes `round`, they also say how amounts are rounded.
 */
export function defineReport<Input>(report: Operation<Input>): Operation<Input> {
  const { 200: success, ...others } = report.responses;
  const described = defined(success, 'a report has an answer');
  const names = 'round' in report.query ? ([knownAtHeader, roundingHeader] as const) : ([knownAtHeader] as const);
  const texts = Object.fromEntries(names.map((name) => [name, headerTexts[name]]));
  return defineOperation({
    ...report,
    responses: { ...others, 200: { ...described, headers: { ...described.headers, ...texts } } },
    async handle(request, input) {
      const response = await report.handle(request, input);
      const all = reportHeaders(request, response);
      const own = Object.fromEntries(names.map((name) => [name.toLowerCase(), all[name]!]));
      return { ...response, headers: { ...response.headers, ...own } };
    },
  });
}

export const reportRefusals: readonly RefusalCode[] = [notFoundCode(reportingEntity), 'fx-rate-missing'];
export const pagedReportRefusals: readonly RefusalCode[] = [...reportRefusals, 'cursor-invalid'];

interface ReportInput extends KnownAtOption {
  readonly reportingEntity: string;
}

export function readReportInput(request: RequestContext): ReportInput {
  return { reportingEntity: request.query['reporting_entity_id'], ...readKnownAt(request) };
}
