// Reads the terms for booking transactions: the accounting method of each account, which its custodian enforces or its client has, and the transaction types that an
// instrument's class allows.

import type { Id } from '../../kit/id.ts';
import { account } from '../../model/structure/account.ts';
import type { Client } from '../../model/structure/client.ts';
import { instrument } from '../../model/instrument/instrument.ts';
import type { TransactionType } from '../../model/ledger/transaction-kind.ts';
import { tenantFilterValues, tenantFilterSql } from '../resources/resource-sql.ts';
import { arrayOfAnyLength, memoized } from '../postgres/statement.ts';
import type { Store } from '../store.ts';

/** Keyed by account. */
export async function listAccountingMethods(
  { scope, run }: Store,
  accounts: readonly Id[],
): Promise<ReadonlyMap<Id, Client['accountingMethod']>> {
  if (accounts.length === 0) return new Map();
  const statement = memoized<{ id: Id; method: Client['accountingMethod'] }>(
    `booking-terms/${scope.visibleClients.kind}/accounting-methods`,
    () => `SELECT t.id, coalesce(k.accounting_method, c.accounting_method) AS method FROM account t
      JOIN client c ON c.workspace_id = $1 AND c.environment = $2 AND c.id = t.client_id
      LEFT JOIN custodian k ON k.workspace_id = $1 AND k.environment = $2 AND k.id = t.custodian_id
      WHERE ${tenantFilterSql(account, scope.visibleClients.kind)} AND t.id = ANY (${arrayOfAnyLength('$4')})`,
  );
  const { rows } = await run(statement, [...tenantFilterValues(scope), accounts]);
  return new Map(rows.map(({ id, method }) => [id, method]));
}

/** The transaction types that an instrument class allows. */
export interface ClassTerms {
  readonly name: string;
  readonly allowed: readonly TransactionType[];
}

/** Keyed by instrument of the shared catalogue: the terms of its class, else of the default class of its type. */
export async function listClassTerms(
  { scope, run }: Store,
  instruments: readonly Id[],
): Promise<ReadonlyMap<Id, ClassTerms>> {
  if (instruments.length === 0) return new Map();
  const statement = memoized<ClassTerms & { id: Id }>(
    `booking-terms/${scope.visibleClients.kind}/classes`,
    () => `SELECT t.id, k.name, k.allowed_transaction_types AS allowed FROM instrument t
      JOIN instrument_class k ON k.workspace_id = $1 AND k.environment = $2
        AND k.id = coalesce(t.instrument_class_id, (SELECT min(d.id) FROM instrument_class d
          WHERE d.workspace_id = $1 AND d.environment = $2 AND t.type = ANY (d.default_for)))
      WHERE ${tenantFilterSql(instrument, scope.visibleClients.kind)} AND t.client_id IS NULL AND t.id = ANY (${arrayOfAnyLength('$4')})`,
  );
  const { rows } = await run(statement, [...tenantFilterValues(scope), instruments]);
  return new Map(rows.map(({ id, ...terms }) => [id, terms]));
}
