// Positions with every open lot on the JSON:API wire: each related to where it is and to what is held. Knows no sums.

import { instant } from '../../kit/field.ts';
import { reportingEntity } from '../../model/structure/reporting-entity.ts';
import { instrumentHoldingAttributesShape, type ReportedInstrumentHolding } from '../../model/report/lot.ts';
import { openDayReport } from '../../actions/reports/day-report.ts';
import { instrumentHoldings } from '../../actions/reports/lots.ts';
import type { ReportBasis } from '../../actions/reports/report-basis.ts';
import { defineOperation } from '../http/operation/operation.ts';
import { ledgerVersionSchema } from '../http/reports/report-page.ts';
import { truncateRows, metaSchema } from '../http/lists/row-cap.ts';
import { notFoundCode } from '../http/operation/write-refusals.ts';
import {
  heldTypeOf,
  heldTypes,
  linkageSchema,
  linkageTo,
  membersSchema,
  optionalLinkageSchema,
  reportMeta,
  reportResourceSchema,
  jsonApiStyle,
} from './report-document.ts';
import { jsonApi } from './wire.ts';

/** Positions have no ids of their own: theirs are made of what they are. */
function renderInstrumentHolding(one: ReportedInstrumentHolding, basis: ReportBasis): object {
  const { reportingEntityId, accountId, depositoryId, instrumentId } = one;
  return {
    type: 'instrument-holding',
    id: [reportingEntityId, accountId ?? '-', depositoryId ?? '-', instrumentId].join('.'),
    attributes: instrumentHoldingAttributesShape.write(one, jsonApiStyle),
    relationships: {
      reportingEntity: linkageTo('reporting-entity', reportingEntityId),
      instrument: linkageTo(heldTypeOf(instrumentId, basis), instrumentId),
      account: linkageTo('account', accountId),
      depository: linkageTo('depository', depositoryId),
    },
  };
}

const positionSchema = reportResourceSchema({
  type: 'instrument-holding',
  attributes: instrumentHoldingAttributesShape.schema(jsonApiStyle),
  relationships: membersSchema({
    reportingEntity: linkageSchema('reporting-entity'),
    instrument: linkageSchema(...heldTypes),
    account: optionalLinkageSchema('account'),
    depository: optionalLinkageSchema('depository'),
  }),
});

const schema = membersSchema({
  data: { type: 'array', items: positionSchema },
  meta: metaSchema({ asOf: instant.schema(jsonApiStyle), ledgerVersion: ledgerVersionSchema }),
});

const instrumentHoldingsPath = defineOperation<void>({
  id: 'json-api.instrument-holding.report',
  wire: jsonApi,
  group: 'instrument-holdings',
  method: 'GET',
  path: '/api/v3/instrument-holdings/reporting-entities/{id}',
  summary: 'Holdings of a reporting entity, lot by lot',
  description:
    'What is held today, position by position: an account, a depository and an instrument, with every open lot. An instrument is named with its own type; cash is a `cash-instrument`. Carries the same numbers as the Plain shape.',
  right: 'read',
  people: 'advisor',
  mode: 'read',
  heavy: true,
  threadKey: ({ params }) => params['id']!,
  query: {},
  responses: { 200: { description: 'The positions, by instrument, account and depository.', schema } },
  refusals: [notFoundCode(reportingEntity), 'fx-rate-missing'],
  read: () => undefined,
  async handle({ work, params }) {
    const report = await openDayReport(work, { reportingEntity: params['id']! });
    const { rows, truncation } = truncateRows(report.holdings);
    const data = instrumentHoldings({ ...report, holdings: rows }).map((one) =>
      renderInstrumentHolding(one, report.basis),
    );
    return { status: 200, body: { data, meta: { ...reportMeta(report), ...truncation } } };
  },
});

export const jsonApiLotPaths = [instrumentHoldingsPath];
