// The activity of a reporting entity on v1: the transactions of its accounts, the newest first, and the versions of one of them.

import { id, integer, oneOf } from '../../../kit/field.ts';
import { listOf, member, objectOf } from '../../../kit/structured-field.ts';
import { transactionTypes } from '../../../model/ledger/transaction-kind.ts';
import { activityShape, transactionVersionShape } from '../../../model/report/activity.ts';
import {
  explainActivity,
  listActivity,
  listTransactionVersions,
  type ActivityInput,
  type ListedActivity,
} from '../../../actions/reports/activity.ts';
import { listFromCursor, pageMembers, pageValues } from '../../http/lists/cursor-page.ts';
import { dayRangeParameters, readDayRange, type DayRange } from '../../http/lists/day-range.ts';
import { pathParameter } from '../../http/operation/path-parameter.ts';
import type { RequestContext } from '../../http/operation/operation.ts';
import type { LedgerPosition } from '../../../store/ledger/ledger-reader.ts';
import { searchKind } from '../filters.ts';
import { pageSizeOf } from '../page.ts';
import { v1TransactionVariants } from '../ledger/transaction-variants.ts';
import { explainParameter, wantsExplanations } from './explain-parameter.ts';
import {
  defineReport,
  hasMoreMember,
  readReportInput,
  reportOperationBase,
  reportPageParameters,
  reportParameters,
  v1Style,
} from './report-query.ts';

const path = '/v1/activity';
const days = { from: 'from', to: 'to' } as const;
/** The largest page of the activity. */
const pageSizeMax = 1_000;

/** The words of a search, each found in a text of the transaction or at the beginning of a word of a name. */
const searchedWords = searchKind((sent) => sent.split(/\s+/).filter((word) => word !== ''));

const answer = objectOf(pageMembers(activityShape));

function activityInput(request: RequestContext, range: DayRange): ActivityInput {
  const { query } = request;
  return {
    ...readReportInput(request),
    ...range,
    account: query['account_id'],
    instrument: query['instrument_id'],
    type: query['type'],
    cash: query['cash'],
    words: query['q'] ?? [],
  };
}

function writePosition({ position: { date, sequence, id: own } }: ListedActivity): string {
  return [date, sequence, own].join(' ');
}

function readPosition(position: string | undefined): LedgerPosition | undefined {
  if (position === undefined) return undefined;
  const [date = '', sequence = '', own = ''] = position.split(' ');
  return { date, sequence: Number(sequence), id: own };
}

const activityPath = defineReport<DayRange>({
  ...reportOperationBase,
  people: 'advisor',
  id: 'v1.activity.report',
  group: 'activity',
  path,
  summary: 'Activity of a reporting entity',
  description:
    'Show what has happened lately, as on a bank statement. The transactions that move the accounts and depositories of a reporting entity, the newest first, with the names of accounts and instruments. Accounts that are excluded from reporting are left out, and so are corporate actions that were booked once for all holders.',
  query: {
    ...reportParameters,
    ...dayRangeParameters(days),
    account_id: { kind: id, description: 'Only transactions that move this account of the reporting entity.' },
    instrument_id: { kind: id, description: 'Only transactions with this instrument.' },
    type: { kind: oneOf(transactionTypes), description: 'Only transactions of this type.' },
    cash: { kind: oneOf(['in', 'out']), description: 'Only transactions that brought cash in, or took it out.' },
    q: {
      kind: searchedWords,
      description:
        'Only transactions that have each of these words: in the comment, in the external reference, or at the beginning of a word in the name of the instrument or account.',
    },
    ...explainParameter,
    ...reportPageParameters,
    limit: {
      kind: integer({ min: 1, max: pageSizeMax }),
      description: `How many at most: 1 to ${pageSizeMax}, 50 when it is not sent.`,
    },
  },
  responses: { 200: { description: 'A page, the newest first.', schema: answer.schema(v1Style) } },
  refusals: ['reporting-entity-not-found', 'account-not-found', 'cursor-invalid'],
  read: (parsed) => readDayRange(parsed, days),
  async handle(request, range) {
    const input = activityInput(request, range);
    const isExplained = wantsExplanations(request, input.reportingEntity, true);
    const page = await listFromCursor<ListedActivity>(request, {
      queryKey: [path, { ...input, knownAt: undefined }],
      hasLastingCursor: true,
      list: (after) => listActivity(request.work, input, { after: readPosition(after), limit: pageSizeOf(request) }),
      positionOf: writePosition,
    });
    const values = pageValues(page);
    const data = isExplained ? await explainActivity(request.work, values.data) : values.data.map(({ row }) => row);
    return { status: 200, body: answer.write({ ...values, data }, v1Style) };
  },
});

const versions = objectOf({
  data: member(listOf(transactionVersionShape), 'The versions, the oldest first.'),
  hasMore: hasMoreMember,
});

const versionsPath = defineReport<void>({
  ...reportOperationBase,
  people: 'advisor',
  id: 'v1.transaction.versions',
  group: 'transactions',
  resource: v1TransactionVariants.resource,
  path: '/v1/transactions/{id}/versions',
  summary: 'Versions of a transaction',
  description:
    'Find out why a figure was another one before: what was known of a transaction, from its booking to its last amendment or its deletion, as far as it concerns the reporting entity.',
  query: { reporting_entity_id: reportParameters.reporting_entity_id },
  responses: { 200: { description: 'The versions.', schema: versions.schema(v1Style) } },
  refusals: ['reporting-entity-not-found', 'transaction-not-found'],
  read: () => undefined,
  async handle({ work, query, params }) {
    const reportingEntity: string = query['reporting_entity_id'];
    const transactionId = pathParameter(params, 'id');
    const data = await listTransactionVersions(work, { reportingEntity, transactionId });
    return { status: 200, body: versions.write({ data, hasMore: false }, v1Style) };
  },
});

export const activityPaths = [activityPath, versionsPath];
