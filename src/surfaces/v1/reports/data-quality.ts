// What to look at and mend behind the figures of a reporting entity, on v1. Knows not how it is found.

import { someOf } from '../../../kit/field.ts';
import { listOf, moment } from '../../../kit/shape.ts';
import { finding, findingCodes, findingCount, type FindingCode } from '../../../model/report/finding.ts';
import { reportingEntity } from '../../../model/structure/reporting-entity.ts';
import { countFindings, keyOfFinding, readDataQuality } from '../../../actions/reports/data-quality/data-quality.ts';
import { asOfParameter } from '../../http/reports/as-of.ts';
import { defineOperation } from '../../http/operation/operation.ts';
import { ledgerVersionSchema, reportPage, reportPageSchema } from '../../http/reports/report-page.ts';
import { notFoundOf } from '../../http/operation/write-refusals.ts';
import { pageParameters, pageSizeOf } from '../page.ts';
import { readReport, reportFrame, reportParameters, style } from './report-query.ts';

const path = '/v1/data-quality';
const counts = listOf(findingCount);

const dataQualityPath = defineOperation<void>({
  ...reportFrame,
  people: 'advisor',
  id: 'v1.data-quality.report',
  group: 'data-quality',
  path,
  summary: 'What to mend behind the figures of a reporting entity',
  description:
    'Everything about the facts that a person should look at before trusting the figures of a day, as a list to work through: each with how grave it is, where it is, what is wrong and what would mend it. The gravest come first. What is mended is gone from the list. Where exchange rates are missing the others are listed all the same, without amounts.',
  query: {
    ...reportParameters,
    ...asOfParameter,
    code: {
      kind: someOf(findingCodes),
      repeats: true,
      description: 'Only findings of these codes; may be sent several times, or once with commas between.',
    },
    ...pageParameters,
  },
  answers: {
    200: {
      description: 'A page.',
      schema: reportPageSchema(finding.schema(style), {
        counts: { ...counts.schema(style), description: 'How many there are of each code, whatever is asked for.' },
        as_of: { ...moment.schema(style), description: 'The instant up to which everything counts.' },
        ledger_version: ledgerVersionSchema,
      }),
    },
  },
  refusals: [notFoundOf(reportingEntity), 'cursor-invalid', 'cursor-expired'],
  async handle(ask) {
    const { work, query } = ask;
    const asked = readReport(ask);
    const codes: readonly FindingCode[] | undefined = query['code'];
    const { report, page } = await reportPage(ask, {
      question: [path, asked, query['as_of'], codes],
      limit: pageSizeOf(ask),
      make: (asOf = query['as_of']) => readDataQuality(work, { ...asked, asOf }),
      dayOf: ({ day }) => day,
      rowsOf: ({ findings }) => (codes === undefined ? findings : findings.filter(({ code }) => codes.includes(code))),
      keyOf: keyOfFinding,
    });
    return {
      status: 200,
      body: {
        ...page,
        data: page.data.map((one) => finding.write(one, style)),
        counts: counts.write(countFindings(report.findings), style),
        as_of: moment.write(report.asOf, style),
        ledger_version: report.scope.ledgerVersion,
      },
    };
  },
});

export const dataQualityPaths = [dataQualityPath];
