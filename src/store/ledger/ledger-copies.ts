// Packed copies of large ledgers in the database. They hold nothing that the rows do not say: whatever cannot be read is read from the rows.

import { defined } from '../../kit/assert.ts';
import { idFromRow, type Id } from '../../kit/id.ts';
import type { Scope } from '../../model/access/scope.ts';
import { columnSql } from '../postgres/binary/binary-rows.ts';
import { nameAt } from '../postgres/binary/column-builder.ts';
import { readColumns, type StatementRunner } from '../postgres/statement-runner.ts';
import { arrayOfAnyLength, sql } from '../postgres/statement.ts';
import type { AccountLedger } from './account-ledger.ts';
import { packedFormat, unpackLedger, type PackedLedger } from './packed-ledger.ts';

const listCopies = columnSql(
  'ledger-copies/list',
  { account: 'name', version: 'integer', packed: 'bytes' },
  `SELECT account_id AS account, version, packed FROM ledger_copy
   WHERE workspace_id = $1 AND environment = $2 AND format = ${packedFormat} AND account_id = ANY (${arrayOfAnyLength('$3')})`,
);

/** Keeps the newer one. While releases with two formats run side by side, the newer format stays. */
const putCopy = sql(
  'ledger-copies/put',
  `INSERT INTO ledger_copy (workspace_id, environment, client_id, account_id, version, format, row_count, packed)
   VALUES ($1, $2, $3, $4, $5, ${packedFormat}, $6, $7)
   ON CONFLICT (workspace_id, environment, account_id) DO UPDATE
   SET version = excluded.version, format = excluded.format, row_count = excluded.row_count, packed = excluded.packed
   WHERE ledger_copy.format < excluded.format
     OR (ledger_copy.format = excluded.format AND ledger_copy.version < excluded.version)`,
);

export interface LedgerCopy extends PackedLedger {
  readonly client: Id;
  readonly account: Id;
  readonly version: number;
}

export class LedgerCopies {
  readonly #scope: Scope;
  readonly #run: StatementRunner;

  constructor(scope: Scope, run: StatementRunner) {
    this.#scope = scope;
    this.#run = run;
  }

  /** The copies of these accounts that there are and that can be read. */
  async list(accounts: readonly Id[]): Promise<ReadonlyMap<Id, AccountLedger>> {
    const ledgers = new Map<Id, AccountLedger>();
    if (accounts.length === 0) return ledgers;
    const { workspaceId, environment } = this.#scope;
    const values = [workspaceId, environment, accounts];
    for (const block of await readColumns(this.#run, { statement: listCopies, values })) {
      for (const [row, bytes] of block.packed.entries()) {
        const version = defined(block.version[row], 'a copy has a version');
        const account = defined(nameAt(block.account, row), 'a copy has an account');
        const ledger = await unpackLedger(version, bytes).catch(() => undefined);
        if (ledger !== undefined) ledgers.set(idFromRow(account), ledger);
      }
    }
    return ledgers;
  }

  async put({ client, account, version, rowCount, bytes }: LedgerCopy): Promise<void> {
    const { workspaceId, environment } = this.#scope;
    await this.#run(putCopy, [workspaceId, environment, client, account, version, rowCount, bytes]);
  }
}
