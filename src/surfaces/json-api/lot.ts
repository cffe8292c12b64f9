// Positions with every open lot on JSON:API, related to their account, depository and instrument.

import type { ValueOf } from '../../kit/field.ts';
import { listOf, member, objectOf } from '../../kit/structured-field.ts';
import { reportingEntity } from '../../model/structure/reporting-entity.ts';
import { instrumentHoldingAttributesShape, type ReportedInstrumentHolding } from '../../model/report/lot.ts';
import { openDayReport } from '../../actions/reports/day-report.ts';
import { instrumentHoldings } from '../../actions/reports/lots.ts';
import { heldTypeOf, type ReportBasis } from '../../actions/reports/report-basis.ts';
import { defineOperation } from '../http/operation/operation.ts';
import { pathParameter } from '../http/operation/path-parameter.ts';
import { truncateRows, truncationMembers } from '../http/lists/row-cap.ts';
import { notFoundCode } from '../http/operation/write-refusals.ts';
import {
  heldTypes,
  linkage,
  linkageTo,
  optionalLinkage,
  reportMeta,
  reportMetaMembers,
  reportResource,
  jsonApiStyle,
} from './report-document.ts';
import { jsonApi } from './wire.ts';

const relationships = objectOf({
  reportingEntity: member(linkage('reporting-entity'), 'The reporting entity.'),
  instrument: member(linkage(...heldTypes), 'What is held.'),
  account: member(optionalLinkage('account'), 'The account.'),
  depository: member(optionalLinkage('depository'), 'The depository.'),
});

const position = reportResource('instrument-holding', instrumentHoldingAttributesShape, relationships);

const document = objectOf({
  data: member(listOf(position), 'The positions.'),
  meta: member(
    objectOf({ ...reportMetaMembers, ...truncationMembers }),
    '`truncated`, `cap` and `total` are present when there are more positions than one answer contains.',
  ),
});

/** Positions are not stored: their id is composed of what identifies them. */
function toPosition(one: ReportedInstrumentHolding, basis: ReportBasis): ValueOf<typeof position> {
  const { reportingEntityId, accountId, depositoryId, instrumentId } = one;
  return {
    type: 'instrument-holding',
    id: [reportingEntityId, accountId ?? '-', depositoryId ?? '-', instrumentId].join('.'),
    attributes: one,
    relationships: {
      reportingEntity: linkageTo('reporting-entity', reportingEntityId),
      instrument: linkageTo(heldTypeOf(instrumentId, basis), instrumentId),
      account: linkageTo('account', accountId),
      depository: linkageTo('depository', depositoryId),
    },
  };
}

const instrumentHoldingsPath = defineOperation<void>({
  id: 'json-api.instrument-holding.report',
  wire: jsonApi,
  group: 'instrument-holdings',
  method: 'GET',
  path: '/api/v3/instrument-holdings/reporting-entities/{id}',
  summary: 'Holdings of a reporting entity, lot by lot',
  description:
    'Show positions with the purchases behind them: what is held today, position by position: an account, a depository and an instrument, with every open lot. An instrument is named with its own type; cash is a `cash-instrument`. The figures are those of Plain JSON.',
  right: 'read',
  people: 'advisor',
  mode: 'read',
  heavy: true,
  threadKey: ({ params }) => pathParameter(params, 'id'),
  query: {},
  responses: {
    200: {
      description: 'The positions, by instrument, account and depository.',
      schema: document.schema(jsonApiStyle),
    },
  },
  refusals: [notFoundCode(reportingEntity), 'fx-rate-missing'],
  read: () => undefined,
  async handle({ work, params }) {
    const report = await openDayReport(work, { reportingEntity: pathParameter(params, 'id') });
    const { rows, truncation } = truncateRows(report.holdings);
    const positions = await instrumentHoldings({ ...report, holdings: rows });
    const data = positions.map((one) => toPosition(one, report.basis));
    const meta = { ...reportMeta(report), ...truncation };
    return { status: 200, body: document.write({ data, meta }, jsonApiStyle) };
  },
});

export const jsonApiLotPaths = [instrumentHoldingsPath];
