// The cash balances of an account on v1: as booked, and as settled.

import { anyText } from '../../../kit/field.ts';
import { listOf, member, objectOf } from '../../../kit/structured-field.ts';
import { accountBalanceShape } from '../../../model/report/account-balance.ts';
import { asOfMember, ledgerVersionMember } from '../../../model/report/holding.ts';
import { account } from '../../../model/structure/account.ts';
import { listAccountBalances } from '../../../actions/reports/account-balances.ts';
import { asOfParameter } from '../../http/reports/as-of.ts';
import { pathParameter } from '../../http/operation/path-parameter.ts';
import { notFoundCode } from '../../http/operation/write-refusals.ts';
import { knownAtParameter, readKnownAt } from '../known-at.ts';
import { v1 } from '../wire.ts';
import { defineReport, hasMoreMember, v1Style } from './report-query.ts';

const answer = objectOf({
  accountId: member(anyText, 'The account.'),
  data: member(listOf(accountBalanceShape), 'One for each currency in which there is a balance, by currency.'),
  hasMore: hasMoreMember,
  asOf: asOfMember,
  ledgerVersion: ledgerVersionMember,
});

export const accountBalancePath = defineReport<void>({
  wire: v1,
  method: 'GET',
  right: 'read',
  mode: 'read',
  heavy: true,
  threadKey: ({ params }) => pathParameter(params, 'id'),
  read: () => undefined,
  id: 'v1.account.balances',
  group: account.plural,
  resource: account,
  path: '/v1/accounts/{id}/balances',
  summary: 'Cash balances of an account',
  description:
    'See how much cash an account has at the end of a day, and how much of it has settled: what can be paid out. Without `as_of` the day is today.',
  query: { ...asOfParameter, ...knownAtParameter },
  responses: { 200: { description: 'The balances.', schema: answer.schema(v1Style) } },
  refusals: [notFoundCode(account)],
  async handle(request) {
    const accountId = pathParameter(request.params, 'id');
    const query = { asOf: request.query['as_of'], ...readKnownAt(request) };
    const { asOf, balances, ledgerVersion } = await listAccountBalances(request.work, accountId, query);
    return {
      status: 200,
      body: answer.write({ accountId, data: balances, hasMore: false, asOf, ledgerVersion }, v1Style),
    };
  },
});
