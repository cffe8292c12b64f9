// The restatement report on v1: the difference between two answers about one day, as known at two moments.

import { anyText, instant, nullable } from '../../../kit/field.ts';
import { listOf, member, objectOf } from '../../../kit/structured-field.ts';
import { asOfMember, ledgerVersionMember } from '../../../model/report/holding.ts';
import {
  inputChangeCountShape,
  changedInputShape,
  restatedHoldingShape,
  restatedTotalsShape,
} from '../../../model/report/restatement.ts';
import { readRestatement, type RestatementQuery } from '../../../actions/reports/restatement.ts';
import {
  restatementChangesQuery,
  countChanges,
  listChanges,
  type ListedChange,
} from '../../../actions/reports/restatement-changes.ts';
import { explainRestatement } from '../../../actions/reports/explain/explain-restatement.ts';
import { asOfParameter } from '../../http/reports/as-of.ts';
import { listFromCursor, pageMembers, pageValues } from '../../http/lists/cursor-page.ts';
import type { RequestContext, Parameter } from '../../http/operation/operation.ts';
import { invalidParameter } from '../../http/operation/query-parameters.ts';
import { pageSizeOf } from '../page.ts';
import { explainParameter, wantsExplanations } from './explain-parameter.ts';
import {
  defineReport,
  pagedReportRefusals,
  reportOperationBase,
  reportPageParameters,
  reportParameters,
  v1Style,
} from './report-query.ts';
import { reportStyle, roundParameter } from './report-rounding.ts';

const path = '/v1/restatements';

const answer = objectOf({
  ...pageMembers(changedInputShape),
  counts: member(listOf(inputChangeCountShape), 'How many records changed, by kind.'),
  holdings: member(listOf(restatedHoldingShape), 'The positions that differ, regardless of page.'),
  totals: member(restatedTotalsShape, 'The totals of all holdings.'),
  currency: member(anyText, 'The currency of the amounts of the later answer.'),
  beforeCurrency: member(anyText, 'The currency of the amounts of the earlier answer.'),
  fromKnownAt: member(instant, 'The first moment.'),
  toKnownAt: member(nullable(instant), 'The second moment; null if `to_known_at` was not sent.'),
  asOf: asOfMember,
  ledgerVersion: ledgerVersionMember,
});

const { known_at: _knownAt, ...entityParameter } = reportParameters;

const parameters = {
  ...entityParameter,
  from_known_at: {
    kind: instant,
    description: 'The first moment: the report compares what was known then.',
    required: true,
    example: '2026-01-01T00:00:00Z',
  },
  to_known_at: {
    kind: instant,
    description: 'The second moment, not before the first and not in the future. The default is what is known now.',
  },
  as_of: {
    ...asOfParameter.as_of,
    description:
      'The day of both answers: a date, or a moment of that day in the time zone of the workspace. The default is the latest day with data, up to the day of `from_known_at`.',
  },
  ...roundParameter,
  ...explainParameter,
  ...reportPageParameters,
} as const satisfies Record<string, Parameter>;

function readQuestion({ query, work }: RequestContext): RestatementQuery {
  const { from_known_at: from, to_known_at: to } = query as { from_known_at: number; to_known_at?: number };
  if (from > work.now) throw invalidParameter('from_known_at', 'from_known_at must not be in the future.');
  if (to !== undefined && to > work.now)
    throw invalidParameter('to_known_at', 'to_known_at must not be in the future.');
  if (to !== undefined && to < from)
    throw invalidParameter('to_known_at', 'to_known_at must not be before from_known_at.');
  return { reportingEntity: query['reporting_entity_id'], from, to, asOf: query['as_of'] };
}

const restatementsPath = defineReport<void>({
  ...reportOperationBase,
  people: 'advisor',
  id: 'v1.restatement.report',
  group: 'restatements',
  path,
  summary: 'Restatement of an earlier report',
  description:
    'Explain to somebody who kept an earlier report why today it says something else: the difference between two answers about the same day, as known at one moment and at a later one: the positions that differ, and the totals. `data` lists, page by page, all data behind the figures of the client up to that day that was added, corrected or deleted in between. For people, `data` and `counts` have only what concerns the reporting entity.',
  query: parameters,
  responses: {
    200: {
      description: 'The difference, and a page of changes, by time.',
      schema: answer.schema(v1Style),
    },
  },
  refusals: pagedReportRefusals,
  async handle(request) {
    const { work } = request;
    const question = readQuestion(request);
    const isExplained = wantsExplanations(request, question.reportingEntity, true);
    const restatement = await readRestatement(work, question);
    const { before, basis, asOf } = restatement;
    const { holdings, totals } = isExplained ? await explainRestatement(work, restatement) : restatement;
    const changes = restatementChangesQuery(work, restatement, question);
    const page = await listFromCursor<ListedChange>(request, {
      queryKey: [path, question],
      hasLastingCursor: true,
      list: (after) => listChanges(work, changes, { after, limit: pageSizeOf(request) }),
      positionOf: ({ cursor: place }) => place,
    });
    const beforeCurrency = (before ?? basis).currency;
    const values = {
      ...pageValues(page),
      counts: await countChanges(work, changes),
      holdings: holdings.map((one) => ({ ...one, beforeCurrency })),
      totals: { ...totals, beforeCurrency },
      currency: basis.currency,
      beforeCurrency,
      fromKnownAt: question.from,
      toKnownAt: question.to ?? null,
      asOf,
      ledgerVersion: basis.ledgerVersion,
    };
    return { status: 200, body: answer.write(values, reportStyle(request, basis.currency)) };
  },
});

export const restatementPaths = [restatementsPath];
