// Reads which accounts are visible in a scope, which clients own them, and the versions of their ledgers.

import type { Id } from '../../kit/id.ts';
import { account } from '../../model/structure/account.ts';
import type { Scope } from '../../model/access/scope.ts';
import { allTransactionVersions } from './ledger-rows.ts';
import { packedFormat } from './packed-ledger.ts';
import { tenantFilterSql } from '../resources/resource-sql.ts';
import { arrayOfAnyLength, memoized, type Statement } from '../postgres/statement.ts';

export interface VersionVectorRow {
  readonly account: Id | null;
  readonly client: Id | null;
  readonly version: number;
  /** The version of the account's packed copy; null if there is none. */
  readonly copied: number | null;
  /** How many rows of the account the copy has. */
  readonly copiedRows: number | null;
}

export const newestForHolders = (client: string): string => {
  const newest = (column: string): string => `coalesce((SELECT max(h.${column}) FROM transaction h
    WHERE h.workspace_id = $1 AND h.environment = $2 AND h.account_id IS NULL AND ${client} AND h.${column} IS NOT NULL), 0)`;
  return `greatest(${newest('opened_version')}, ${newest('closed_version')})`;
};

/** Selects the requested accounts within the scope, their clients' bookings for all holders, and those of no client. */
export function versionVectorStatement(visibleClients: Scope['visibleClients']['kind']): Statement<VersionVectorRow> {
  return memoized(
    `ledger-columns/${visibleClients}/stand`,
    () => `WITH seen AS MATERIALIZED (SELECT t.id, t.client_id, coalesce(l.version, 0) AS version, c.version AS copied, c.row_count AS copied_rows
      FROM account t LEFT JOIN account_ledger l ON l.workspace_id = $1 AND l.environment = $2
        AND l.account_id = t.id
      LEFT JOIN ledger_copy c ON c.workspace_id = $1 AND c.environment = $2 AND c.account_id = t.id AND c.format = ${packedFormat}
      WHERE ${tenantFilterSql(account, visibleClients)} AND t.id = ANY (${arrayOfAnyLength('$4')}))
    SELECT id AS account, client_id AS client, version, copied, copied_rows AS "copiedRows" FROM seen
    UNION ALL SELECT NULL, c.client_id, ${newestForHolders('h.client_id = c.client_id')}, NULL, NULL
      FROM (SELECT DISTINCT client_id FROM seen) c
    UNION ALL SELECT NULL, NULL, ${newestForHolders('h.client_id IS NULL')}, NULL, NULL`,
  );
}

/**
 * Selects the clients of accounts within the scope, including accounts that are deleted and known only from their transactions.
 */
export function ownersStatement(visibleClients: Scope['visibleClients']['kind']): Statement<{ client: Id }> {
  return memoized(
    `ledger-columns/${visibleClients}/owners`,
    () => `SELECT DISTINCT client FROM (
        SELECT t.client_id AS client FROM account t WHERE ${tenantFilterSql(account, visibleClients)} AND t.id = ANY (${arrayOfAnyLength('$4')})
        UNION ALL SELECT (SELECT t.client_id FROM transaction t WHERE ${tenantFilterSql(allTransactionVersions, visibleClients)}
          AND t.account_id = one LIMIT 1) FROM unnest($4::text[]) one) c
      WHERE client IS NOT NULL ORDER BY client`,
  );
}
