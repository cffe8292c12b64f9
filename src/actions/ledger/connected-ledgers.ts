// Reads the ledgers of accounts together with those of all accounts that units came from or went to, and no others.

import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import type { AccountFacts } from '../../engine/history/facts.ts';
import type { LedgerColumns } from '../../store/ledger/ledger-columns.ts';
import type { LiveBlock } from '../../store/ledger/ledger-block.ts';
import { nameAt } from '../../store/postgres/binary/column-builder.ts';
import { endOfTime } from '../reports/inputs/read-client.ts';

interface ConnectedLedgers {
  readonly accounts: readonly Id[];
  readonly blocks: readonly LiveBlock[];
}

/** Accounts that share a depository count as connected, since an upload of the depository concerns all of them. */
export async function readConnectedLedgers(
  columns: LedgerColumns,
  known: ReadonlyMap<string, AccountFacts>,
  start: ReadonlySet<string>,
): Promise<ConnectedLedgers> {
  let accounts = withSharedDepositories(known, start);
  for (;;) {
    const { blocks } = await columns.readKnownAt([...accounts] as Id[], endOfTime);
    const reached = withSharedDepositories(known, new Set([...accounts, ...blocks.flatMap(accountsWithUnits)]));
    if (reached.size === accounts.size) return { accounts: [...accounts].toSorted() as Id[], blocks };
    accounts = reached;
  }
}

/** Only accounts of the client: an account outside cannot bring lots. */
function withSharedDepositories(
  known: ReadonlyMap<string, AccountFacts>,
  accounts: ReadonlySet<string>,
): ReadonlySet<string> {
  const reached = new Set([...accounts].filter((account) => known.has(account)));
  const depositories = new Set([...reached].flatMap((account) => known.get(account)?.depositories ?? []));
  for (const [account, { depositories: own }] of known)
    if (own.some((depository) => depositories.has(depository))) reached.add(account);
  return reached;
}

/** Both sides of rows that move units. */
function accountsWithUnits({ rows }: LiveBlock): string[] {
  return [...rows.details].flatMap(([row, { counterAccount }]) => {
    if (counterAccount === undefined || nameAt(rows.instrument, row) === null) return [];
    return [counterAccount, defined(nameAt(rows.account, row), 'units that move leave an account')];
  });
}
