// Reconciliation on v1: what custodians state against what the ledger holds, line by line.

import { parseCalendarDate, toDayNumber, type CalendarDate } from '../../../kit/calendar-date.ts';
import { anyInteger, boolean, calendarDate, id } from '../../../kit/field.ts';
import { member, objectOf } from '../../../kit/structured-field.ts';
import { exampleIdOfType } from '../../../kit/resource.ts';
import { lineKey, readReconciliation } from '../../../actions/reconciliation/reconciliation.ts';
import { reconciliationLineShape } from '../../../model/custody/reconciliation.ts';
import { pageMembers } from '../../http/lists/cursor-page.ts';
import type { RequestContext } from '../../http/operation/operation.ts';
import { invalidParameter } from '../../http/operation/query-parameters.ts';
import { reportPage } from '../../http/reports/report-page.ts';
import { knownAtParameter, readKnownAt } from '../known-at.ts';
import { pageSizeOf } from '../page.ts';
import { defineReport, reportOperationBase, reportPageParameters, v1Style } from '../reports/report-query.ts';

const path = '/v1/reconciliations';

const answer = objectOf({
  ...pageMembers(reconciliationLineShape),
  counts: member(
    objectOf({
      lines: member(anyInteger, 'Lines of the statements, and holdings that only the ledger has.'),
      differences: member(anyInteger, 'How many of them differ beyond the tolerance.'),
    }),
    'Counts, regardless of page.',
  ),
});

const places = ['client_id', 'account_id', 'depository_id'] as const;

/** Exactly one place. */
function readPlace({ query }: RequestContext) {
  const sent = places.filter((name) => query[name] !== undefined);
  const [first, second] = sent;
  if (first === undefined || second !== undefined) {
    throw invalidParameter(second ?? 'client_id', 'Send exactly one of client_id, account_id and depository_id.');
  }
  return { client: query['client_id'], account: query['account_id'], depository: query['depository_id'] };
}

/** The day that a cursor names where no day was asked for. */
const noDay = parseCalendarDate('2200-12-31');

const reconciliationPath = defineReport<void>({
  ...reportOperationBase,
  people: 'advisor',
  threadKey: ({ query }) => places.map((name) => query[name]).find((one) => one !== undefined),
  id: 'v1.reconciliation.report',
  group: 'reconciliations',
  path,
  summary: 'Reconcile statements of custodians with the ledger',
  description:
    'Find what does not agree before a report is sent: what custodians state is held beside what the ledger holds at the end of the same day, line by line: units by instrument, and cash. For each account and depository the latest statement on or before `date` counts, separately for units and for cash. A statement of units lists everything that is held: what only the ledger has is a line too. Send exactly one of `client_id`, `account_id` and `depository_id`.',
  query: {
    client_id: { kind: id, description: 'All places of this client.', example: exampleIdOfType('client') },
    account_id: { kind: id, description: 'Statements about this account.' },
    depository_id: { kind: id, description: 'Statements about this depository.' },
    date: {
      kind: calendarDate,
      description: 'The latest statements on or before this day; the latest of all when absent.',
    },
    differences_only: { kind: boolean, description: 'Only lines that differ beyond the tolerance.' },
    ...knownAtParameter,
    ...reportPageParameters,
  },
  responses: {
    200: { description: 'A page of lines: units first, then cash, by place.', schema: answer.schema(v1Style) },
  },
  refusals: ['client-not-found', 'account-not-found', 'depository-not-found', 'cursor-invalid'],
  async handle(request) {
    const { work, query } = request;
    const place = readPlace(request);
    const { knownAt } = readKnownAt(request);
    const until: CalendarDate | undefined = query['date'];
    const isDifferent = ({ classes }: { classes: readonly string[] }): boolean => classes.length > 0;
    const { report, page } = await reportPage(request, {
      queryKey: [path, place, until, query['differences_only']],
      hasLastingCursor: true,
      limit: pageSizeOf(request),
      make: () => readReconciliation(work, { ...place, until, knownAt }),
      dayOf: () => toDayNumber(until ?? noDay),
      rowsOf: (lines) => (query['differences_only'] ? lines.filter(isDifferent) : lines),
      keyOf: lineKey,
    });
    const counts = { lines: report.length, differences: report.filter(isDifferent).length };
    return { status: 200, body: answer.write({ ...page, counts }, v1Style) };
  },
});

export const reconciliationPaths = [reconciliationPath];
