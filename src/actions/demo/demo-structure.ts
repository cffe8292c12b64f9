// Creates accounts and portfolios of the demo, and books their transactions.

import type { Id } from '../../kit/id.ts';
import { accountRules } from '../structure/account.ts';
import { portfolioRules } from '../structure/entities.ts';
import { TransactionBulk } from '../ledger/transaction-bulk.ts';
import type { TransactionInput } from '../ledger/transaction-input.ts';
import type { Work } from '../core/work.ts';
import { createAndGetId } from './demo-catalogue.ts';
import type { DemoAccount } from './demo-ledger.ts';

export interface BankRelation {
  readonly legalEntity: Id;
  readonly institution: string;
  readonly depository: Id | null;
}

export async function createAccount(
  work: Work,
  bank: BankRelation,
  currency: string,
  name: string,
): Promise<DemoAccount> {
  const { legalEntity, institution, depository } = bank;
  const id = await createAndGetId(work, accountRules, {
    legalEntity,
    institution,
    name,
    ccyCode: currency,
    depositories: depository === null ? [] : [depository],
  });
  return { id, currency, depository };
}

export async function createPortfolio(
  work: Work,
  reportingEntity: Id,
  name: string,
  members: readonly DemoAccount[],
): Promise<void> {
  await createAndGetId(work, portfolioRules, { reportingEntity, name, accounts: members.map(({ id }) => id) });
}

export async function bookAll(work: Work, rows: readonly TransactionInput[]): Promise<void> {
  const bulk = new TransactionBulk(work);
  const { refused } = await bulk.book(rows);
  const [first] = refused;
  if (first) throw first.refusal;
  bulk.finish();
}
