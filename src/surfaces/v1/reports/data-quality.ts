// The data-quality report on v1: findings on the data behind the figures of a reporting entity.

import { anyText, oneOf, someOf } from '../../../kit/field.ts';
import { listOf, member, objectOf } from '../../../kit/structured-field.ts';
import {
  explainedFindingShape,
  findingCodes,
  findingCountShape,
  findingOrders,
  type FindingCode,
  type FindingOrder,
} from '../../../model/report/finding.ts';
import { asOfMember, ledgerVersionMember } from '../../../model/report/holding.ts';
import { currencyCode } from '../../../model/currency.ts';
import { reportingEntity } from '../../../model/structure/reporting-entity.ts';
import { countFindings, findingKey, readDataQuality } from '../../../actions/reports/data-quality/data-quality.ts';
import { explainFindingRows } from '../../../actions/reports/explain/explain-finding-rows.ts';
import { asOfParameter } from '../../http/reports/as-of.ts';
import { reportPage } from '../../http/reports/report-page.ts';
import { notFoundCode } from '../../http/operation/write-refusals.ts';
import { pageMembers } from '../../http/lists/cursor-page.ts';
import { pageSizeOf } from '../page.ts';
import { explainParameter, wantsExplanations } from './explain-parameter.ts';
import {
  defineReport,
  readReportInput,
  reportOperationBase,
  reportPageParameters,
  reportParameters,
  v1Style,
} from './report-query.ts';
import { reportStyle, roundParameter } from './report-rounding.ts';

const path = '/v1/data-quality';

const answer = objectOf({
  ...pageMembers(explainedFindingShape),
  counts: member(listOf(findingCountShape), 'How many findings there are of each code, regardless of `code` and page.'),
  currency: member(anyText, 'The currency of every `effect`.'),
  asOf: asOfMember,
  ledgerVersion: ledgerVersionMember,
});

const dataQualityPath = defineReport<void>({
  ...reportOperationBase,
  people: 'advisor',
  id: 'v1.data-quality.report',
  group: 'data-quality',
  path,
  summary: 'Data quality of a reporting entity',
  description:
    'Findings to work through before relying on the figures of a day: each with its severity, its place, what is wrong and how to correct it. The most severe come first, or with `sort=effect` those that could move the most money. A finding disappears when it is corrected. If exchange rates are missing, the other findings are listed without amounts.',
  query: {
    ...reportParameters,
    as_of: {
      ...asOfParameter.as_of,
      description:
        'The day of the report: a date, or a moment of that day in the time zone of the workspace. The default is today, so that old values show as old; `as_of` in the answer is the moment.',
    },
    code: {
      kind: someOf(findingCodes),
      repeats: true,
      description: 'Only findings with these codes. May be sent several times, or once with commas.',
    },
    sort: {
      kind: oneOf(findingOrders),
      description:
        '`severity` (the default) or `effect`: the largest first; before all others the errors whose effect is unknown, because figures are refused or empty until they are corrected; at the end the others without one.',
    },
    currency: {
      kind: currencyCode,
      description: 'The currency of `effect`, to compare findings of several clients. Default: the reference currency.',
    },
    ...roundParameter,
    ...explainParameter,
    ...reportPageParameters,
  },
  responses: {
    200: {
      description: 'A page of findings.',
      schema: answer.schema(v1Style),
    },
  },
  refusals: [notFoundCode(reportingEntity), 'cursor-invalid'],
  async handle(request) {
    const { work, query } = request;
    const input = readReportInput(request);
    const codes: readonly FindingCode[] | undefined = query['code'];
    const order: FindingOrder = query['sort'] ?? 'severity';
    const isExplained = wantsExplanations(request, input.reportingEntity, true);
    const { report, page } = await reportPage(request, {
      queryKey: [path, input.reportingEntity, query['as_of'], codes, order, query['currency']],
      hasLastingCursor: true,
      limit: pageSizeOf(request),
      make: (asOf = query['as_of']) => readDataQuality(work, { ...input, asOf, order, currency: query['currency'] }),
      dayOf: ({ day }) => day,
      rowsOf: ({ findings }) => (codes === undefined ? findings : findings.filter(({ code }) => codes.includes(code))),
      keyOf: (one) => findingKey(one),
    });
    const { findings, asOf, basis, currency } = report;
    const { ledgerVersion } = basis;
    const data = isExplained ? await explainFindingRows(work, basis, page.data) : page.data;
    const values = { ...page, data, counts: countFindings(findings), currency, asOf, ledgerVersion };
    return { status: 200, body: answer.write(values, reportStyle(request, currency)) };
  },
});

export const dataQualityPaths = [dataQualityPath];
