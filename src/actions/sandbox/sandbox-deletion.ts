// Removes a client of the sandbox whole: everything below it by the rules that the API has, and then the client itself.

import type { Id } from '../../kit/id.ts';
import { anyRecord, type Resource } from '../../kit/resource.ts';
import { instrument } from '../../model/instrument/instrument.ts';
import { transaction } from '../../model/ledger/transaction.ts';
import { limit } from '../../model/limit/limit.ts';
import { sandboxClient } from '../../model/sandbox/sandbox-client.ts';
import { account } from '../../model/structure/account.ts';
import { depository } from '../../model/structure/depository.ts';
import { legalEntity } from '../../model/structure/legal-entity.ts';
import { portfolio } from '../../model/structure/portfolio.ts';
import { reportingEntity } from '../../model/structure/reporting-entity.ts';
import { requireWholeWorkspace } from '../core/all-clients-access.ts';
import { auditRecord, deleteRecord, notFound, type DeleteRules, type Guard } from '../core/resource.ts';
import type { Work } from '../core/work.ts';
import { instrumentRules } from '../instruments/instrument.ts';
import { TransactionBulk } from '../ledger/transaction-bulk.ts';
import { limitRules } from '../limits/limit.ts';
import { accountRules } from '../structure/account.ts';
import { clientRules } from '../structure/client.ts';
import { depositoryRules, legalEntityRules, portfolioRules, reportingEntityRules } from '../structure/entities.ts';
import { sandboxClientRules } from './sandbox-client.ts';
import { requireSandbox } from './sandbox-only.ts';

/** What belongs to a client, in an order in which nothing refers to what goes before it. */
const ownedRules: readonly (readonly [Resource, DeleteRules<any>])[] = [
  [limit, limitRules],
  [portfolio, portfolioRules],
  [instrument, instrumentRules],
  [account, accountRules],
  [depository, depositoryRules],
  [reportingEntity, reportingEntityRules],
  [legalEntity, legalEntityRules],
];

const batchSize = 1_000;

/** What else was added to it, such as webhooks or keys, is refused by name, and nothing is deleted. */
export async function deleteSandboxClient(
  work: Work,
  id: string,
  guard: Guard<typeof sandboxClient> = () => {},
): Promise<void> {
  requireSandbox(work.store.scope);
  requireWholeWorkspace(work);
  const present = await work.store.table(sandboxClient).lock(id, 'to-delete');
  if (present === undefined) throw notFound(sandboxClient);
  guard(present);
  const client = present.id;
  await closeTransactions(work, client);
  for (const [resource, rules] of ownedRules) await deleteAll(work, client, resource, rules);
  auditRecord(work, sandboxClientRules, 'delete', { before: present });
  await work.store.table(sandboxClient).delete(client);
  await deleteRecord(work, clientRules, client);
}

async function closeTransactions(work: Work, client: Id): Promise<void> {
  const bulk = new TransactionBulk(work);
  for (;;) {
    const rows = await work.store.table(transaction).list({ where: { client }, limit: batchSize });
    if (rows.length === 0) break;
    await bulk.close(rows);
  }
  bulk.finish();
}

async function deleteAll(work: Work, client: Id, resource: Resource, rules: DeleteRules<any>): Promise<void> {
  for (;;) {
    const records = await work.store.table(resource).list({ where: { client }, limit: batchSize });
    if (records.length === 0) return;
    for (const record of records) await deleteRecord(work, rules, anyRecord(record).id);
  }
}
