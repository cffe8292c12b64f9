// The difference between two answers about one day as known at two moments, on v1. Knows not how it is found.

import { instant } from '../../../kit/field.ts';
import { refuseFaults } from '../../../kit/refusal.ts';
import { listOf, moment, word } from '../../../kit/shape.ts';
import { changeCount, changedInput, restatedHolding, restatedTotals } from '../../../model/report/restatement.ts';
import { readRestatement, type RestatementQuestion } from '../../../actions/reports/restatement.ts';
import {
  changesBetween,
  countChanges,
  listChanges,
  type ListedChange,
} from '../../../actions/reports/restatement-changes.ts';
import { asOfParameter } from '../../http/reports/as-of.ts';
import { listFromCursor } from '../../http/lists/cursor-page.ts';
import { defineOperation, type Ask, type Parameter } from '../../http/operation/operation.ts';
import { ledgerVersionSchema, reportPageSchema } from '../../http/reports/report-page.ts';
import { pageParameters, pageSizeOf } from '../page.ts';
import { pagedRefusals, reportFrame, reportParameters, style } from './report-query.ts';

const path = '/v1/restatements';
const holdings = listOf(restatedHolding);
const counts = listOf(changeCount);

const { known_at: _knownAt, ...entityParameter } = reportParameters;

const parameters = {
  ...entityParameter,
  from_known_at: {
    kind: instant,
    description: 'The first moment: what was known then.',
    required: true,
    example: '2026-01-01T00:00:00Z',
  },
  to_known_at: {
    kind: instant,
    description:
      'The second moment, not before the first and not in the future; what is known now when it is not sent.',
  },
  as_of: {
    ...asOfParameter.as_of,
    description:
      'The day that both answers are about: a date, or a moment of that day in the zone of the workspace. The day of `from_known_at` when it is not sent, and never later than the last day that anything is known of.',
  },
  ...pageParameters,
} as const satisfies Record<string, Parameter>;

function invalid(parameter: string, detail: string): Error {
  return refuseFaults('invalid-parameter', [{ code: 'invalid-parameter', detail, parameter }]);
}

function readAsked({ query, work }: Ask): RestatementQuestion {
  const { from_known_at: from, to_known_at: to } = query as { from_known_at: number; to_known_at?: number };
  if (from > work.now) throw invalid('from_known_at', 'from_known_at must not be in the future.');
  if (to !== undefined && to > work.now) throw invalid('to_known_at', 'to_known_at must not be in the future.');
  if (to !== undefined && to < from) throw invalid('to_known_at', 'to_known_at must not be before from_known_at.');
  return { reportingEntity: query['reporting_entity_id'], from, to, asOf: query['as_of'] };
}

const restatementsPath = defineOperation<void>({
  ...reportFrame,
  id: 'v1.restatement.report',
  group: 'restatements',
  path,
  summary: 'What has become of an earlier answer',
  description:
    'The difference between two answers about the same day: what was held as it was known at one moment and as it was known at a later one, position by position where they differ, with the totals; and in `data`, page by page, whatever has become known, was corrected or was deleted in between of all that the figures of the client are made of, up to that day.',
  query: parameters,
  answers: {
    200: {
      description: 'The difference, and a page of what has changed, by moment.',
      schema: reportPageSchema(changedInput.schema(style), {
        counts: { ...counts.schema(style), description: 'How many things have changed, by kind.' },
        holdings: { ...holdings.schema(style), description: 'The positions that differ, whatever the page.' },
        totals: { ...restatedTotals.schema(style), description: 'Of everything that is held.' },
        currency: { ...word.schema(style), description: 'What the amounts of the later answer are in.' },
        before_currency: { ...word.schema(style), description: 'What those of the earlier answer are in.' },
        from_known_at: { ...moment.schema(style), description: 'The first moment.' },
        to_known_at: {
          type: ['string', 'null'],
          format: 'date-time',
          description: 'The second moment; null where it is what is known now.',
        },
        as_of: { ...moment.schema(style), description: 'The instant up to which everything counts.' },
        ledger_version: ledgerVersionSchema,
      }),
    },
  },
  refusals: pagedRefusals,
  async handle(ask) {
    const { work } = ask;
    const asked = readAsked(ask);
    const restatement = await readRestatement(work, asked);
    const { before, scope, asOf, totals } = restatement;
    const changes = changesBetween(restatement, asked);
    const page = await listFromCursor<ListedChange>(ask, {
      question: [path, asked],
      list: (after) => listChanges(work, changes, { after, limit: pageSizeOf(ask) }),
      positionOf: ({ place }) => place,
    });
    return {
      status: 200,
      body: {
        ...page,
        data: page.data.map((one) => changedInput.write(one, style)),
        counts: counts.write(await countChanges(work, changes), style),
        holdings: holdings.write(restatement.holdings, style),
        totals: restatedTotals.write(totals, style),
        currency: scope.currency,
        before_currency: (before ?? scope).currency,
        from_known_at: moment.write(asked.from, style),
        to_known_at: asked.to === undefined ? null : moment.write(asked.to, style),
        as_of: moment.write(asOf, style),
        ledger_version: scope.ledgerVersion,
      },
    };
  },
});

export const restatementPaths = [restatementsPath];
