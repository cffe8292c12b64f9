// Finds what no report counts without anybody having said so: a reporting entity without a portfolio, and accounts and depositories
// that are in no portfolio of their client.

import type { Work } from '../../core/work.ts';
import type { ReportBasis } from '../report-basis.ts';
import { emptyFinding, type FindingWithRows } from './finding-with-rows.ts';

export function uncoveredPlaces({ store }: Work, basis: ReportBasis): readonly FindingWithRows[] {
  const { structure, reportingEntity, history } = basis;
  const portfolios = [...structure.portfolios.values()];
  const found: FindingWithRows[] = [];
  if (!portfolios.some((one) => one.reportingEntity === reportingEntity)) {
    found.push({ ...emptyFinding, code: 'no-portfolio' });
  }
  // A person who sees single reporting entities does not see what belongs to none of them.
  if (store.scope.visibleClients.kind === 'some') return found;
  for (const [accountId, { isExcluded }] of structure.accounts) {
    const isCovered = isExcluded || portfolios.some(({ accounts }) => accounts.has(accountId));
    if (!isCovered) found.push({ ...emptyFinding, code: 'outside-portfolios', accountId });
  }
  // What lies in an account as well is found there.
  const alone = history.table.positions.flatMap(({ account, depository }) =>
    account === null && depository !== null ? [depository] : [],
  );
  for (const depositoryId of new Set(alone)) {
    const isCovered = portfolios.some(({ depositories }) => depositories.has(depositoryId));
    if (!isCovered) found.push({ ...emptyFinding, code: 'outside-portfolios', depositoryId });
  }
  return found;
}
