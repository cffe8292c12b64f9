// Finds accounts, depositories and instruments by what files call them, many at once, among those that the caller sees.

import type { Id } from '../../kit/id.ts';
import { instrument } from '../../model/instrument/instrument.ts';
import { account } from '../../model/structure/account.ts';
import { depository } from '../../model/structure/depository.ts';
import { arrayOfAnyLength, memoized } from '../postgres/statement.ts';
import { tenantFilterSql, tenantFilterValues } from '../resources/resource-sql.ts';
import type { Store } from '../store.ts';

/** An account or a depository that has a number. */
export interface NumberedRecord {
  readonly id: Id;
  readonly client: Id;
  readonly number: string | null;
  /** Null for a depository. */
  readonly currency: string | null;
  readonly custodian: Id | null;
  readonly custodianName: string | null;
}

interface NumberQuery {
  /** Only records of this client; null: of all that are visible. */
  readonly client: Id | null;
  /** The digits and letters of the numbers. */
  readonly keys: readonly string[];
  /** Of these, whatever their numbers are. */
  readonly ids: readonly Id[];
}

/** By number or by id, each with its own index. */
function byEach(select: string, conditions: readonly string[]): string {
  return conditions.map((condition) => `${select} AND ${condition}`).join(' UNION ');
}

export async function listAccountsByNumber({ scope, run }: Store, query: NumberQuery): Promise<NumberedRecord[]> {
  const { kind } = scope.visibleClients;
  const statement = memoized<NumberedRecord>(`names/accounts/${kind}`, () => {
    const select = `SELECT t.id, t.client_id AS client, t.external_identifier AS number, t.ccy_code AS currency, t.custodian_id AS custodian,
        (SELECT c.name FROM custodian c WHERE c.workspace_id = $1 AND c.environment = $2
          AND c.id = t.custodian_id) AS "custodianName"
      FROM account t WHERE ${tenantFilterSql(account, kind)} AND ($4::text IS NULL OR t.client_id = $4)`;
    return `${byEach(select, [`t.number_key = ANY (${arrayOfAnyLength('$5')})`, `t.id = ANY (${arrayOfAnyLength('$6')})`])} ORDER BY id`;
  });
  return (await run(statement, [...tenantFilterValues(scope), query.client, query.keys, query.ids])).rows;
}

export async function listDepositoriesByNumber({ scope, run }: Store, query: NumberQuery): Promise<NumberedRecord[]> {
  const { kind } = scope.visibleClients;
  const statement = memoized<NumberedRecord>(`names/depositories/${kind}`, () => {
    const select = `SELECT t.id, t.client_id AS client, t.external_identifier AS number, NULL AS currency, NULL AS custodian, NULL AS "custodianName"
      FROM depository t WHERE ${tenantFilterSql(depository, kind)} AND ($4::text IS NULL OR t.client_id = $4)`;
    return `${byEach(select, [`t.number_key = ANY (${arrayOfAnyLength('$5')})`, `t.id = ANY (${arrayOfAnyLength('$6')})`])} ORDER BY id`;
  });
  return (await run(statement, [...tenantFilterValues(scope), query.client, query.keys, query.ids])).rows;
}

/** An instrument with the codes it has. */
export interface CodedInstrument {
  readonly id: Id;
  /** Null where all clients share it. */
  readonly client: Id | null;
  readonly type: string;
  readonly name: string;
  readonly isin: string | null;
  readonly externalIdentifier: string | null;
  readonly sedol: string | null;
  readonly ticker: string | null;
  readonly mic: string | null;
  readonly currency: string | null;
}

export interface InstrumentCodes {
  readonly isins: readonly string[];
  readonly externalIdentifiers: readonly string[];
  readonly sedols: readonly string[];
  readonly tickers: readonly string[];
  readonly names: readonly string[];
  readonly ids: readonly Id[];
}

/** `client`: only its private instruments beside the shared ones; null: all that are visible. */
export async function listInstrumentsByCode(
  { scope, run }: Store,
  client: Id | null,
  { isins, externalIdentifiers, sedols, tickers, names, ids }: InstrumentCodes,
): Promise<CodedInstrument[]> {
  const { kind } = scope.visibleClients;
  const statement = memoized<CodedInstrument>(`names/instruments/${kind}`, () => {
    const select = `SELECT t.id, t.client_id AS client, t.type, t.name, t.isin, t.external_identifier AS "externalIdentifier", t.sedol, t.ticker,
        t.exchange AS mic, coalesce(t.listing_currency, t.ccy_code) AS currency
      FROM instrument t WHERE ${tenantFilterSql(instrument, kind)}
        AND ($4::text IS NULL OR t.client_id IS NULL OR t.client_id = $4)`;
    const columns = ['isin', 'external_identifier', 'sedol', 'ticker', 'name', 'id'];
    return `${byEach(
      select,
      columns.map((column, index) => `t.${column} = ANY ($${5 + index}::text[])`),
    )} ORDER BY id`;
  });
  const values = [client, isins, externalIdentifiers, sedols, tickers, names, ids] as const;
  return (await run(statement, [...tenantFilterValues(scope), ...values])).rows;
}

/** The client and the custodian of each visible account. */
export async function listAccountOwners(
  { scope, run }: Store,
  ids: readonly Id[],
): Promise<{ readonly id: Id; readonly client: Id; readonly custodian: Id | null }[]> {
  const { kind } = scope.visibleClients;
  const statement = memoized<{ id: Id; client: Id; custodian: Id | null }>(
    `names/account-owners/${kind}`,
    () => `SELECT t.id, t.client_id AS client, t.custodian_id AS custodian FROM account t
      WHERE ${tenantFilterSql(account, kind)} AND t.id = ANY (${arrayOfAnyLength('$4')})`,
  );
  return (await run(statement, [...tenantFilterValues(scope), ids])).rows;
}
