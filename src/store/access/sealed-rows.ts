// The columns whose values name the encryption key that made them: which key that is, those that another key made, and replacing one by the
// same under another key.

import { defined } from '../../kit/assert.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { sql } from '../postgres/statement.ts';

interface KeyedColumnShape {
  readonly table: string;
  readonly column: string;
  /** The column that the primary key adds to the tenant's. */
  readonly id: string;
  /** `bytes`: it is given as hexadecimal digits. */
  readonly idKind: 'text' | 'bytes';
  /** A sealed value opens; a digest only stands for a text. */
  readonly kind: 'sealed' | 'digest';
  /** How many are read at a time: fewer where they are large. */
  readonly batch: number;
  /** Whether no two rows of a tenant may have the same. The row with the older key then loses its value. */
  readonly isUnique: boolean;
}

const usual = { id: 'id', idKind: 'text', kind: 'sealed', batch: 100, isUnique: false } as const;

/** Every column that holds what an encryption key has made, but for the chain of the audit log. A test compares this with the catalogs. */
export const keyedColumns = [
  { ...usual, table: 'replaced_key', column: 'kept_sealed', id: 'fingerprint' },
  { ...usual, table: 'signing_key', column: 'private_sealed' },
  { ...usual, table: 'webhook_key', column: 'private_sealed' },
  { ...usual, table: 'webhook', column: 'secret_sealed' },
  { ...usual, table: 'webhook', column: 'previous_secret_sealed' },
  { ...usual, table: 'custodian', column: 'oauth_client_secret_sealed' },
  { ...usual, table: 'authority', column: 'credentials_sealed' },
  { ...usual, table: 'auth_flow', column: 'pending_sealed' },
  { ...usual, table: 'auth_flow_file', column: 'content_sealed', batch: 2 },
  { ...usual, table: 'person_key', column: 'key_sealed', id: 'person_id' },
  { ...usual, table: 'mail', column: 'message_sealed' },
  { ...usual, table: 'idempotent_answer', column: 'answer_sealed', id: 'key_hash', idKind: 'bytes' },
  { ...usual, table: 'credential', column: 'secret_hash', kind: 'digest' },
  { ...usual, table: 'person_key', column: 'address_digest', id: 'person_id', kind: 'digest', isUnique: true },
  { ...usual, table: 'mail', column: 'address_digest', kind: 'digest' },
] as const satisfies readonly KeyedColumnShape[];

export type KeyedColumn = (typeof keyedColumns)[number];
type NameOf<C> = C extends { table: infer T extends string; column: infer N extends string } ? `${T}.${N}` : never;
/** `table.column`. */
export type KeyedColumnName = NameOf<KeyedColumn>;
export type SealedColumnName = NameOf<Extract<KeyedColumn, { kind: 'sealed' }>>;
export type DigestColumnName = NameOf<Extract<KeyedColumn, { kind: 'digest' }>>;

export function nameOfColumn({ table, column }: KeyedColumn): KeyedColumnName {
  return `${table}.${column}` as KeyedColumnName;
}

export interface KeyedValue {
  readonly id: string;
  readonly value: Buffer;
}

/** How many values of a column a key has made. */
export interface KeyCount {
  readonly what: KeyedColumnName;
  /** Empty for the first key, which names itself nowhere. */
  readonly fingerprint: string;
  readonly count: number;
}

const ofTenant = 't.workspace_id = $1 AND t.environment = $2';

/** The fingerprint of the key that made a value; empty for the first one. */
function fingerprintOf({ column, kind }: KeyedColumn): string {
  const isUnnamed =
    kind === 'sealed' ? `substring(t.${column} FROM 1 FOR 1) = '\\x01'` : `octet_length(t.${column}) = 32`;
  return `CASE WHEN ${isUnnamed} THEN '' ELSE encode(substring(t.${column} FROM 2 FOR 8), 'hex') END`;
}

const idOf = ({ id, idKind }: KeyedColumn): string => (idKind === 'text' ? `t.${id}` : `encode(t.${id}, 'hex')`);
const givenId = ({ idKind }: KeyedColumn, parameter: string): string =>
  idKind === 'text' ? parameter : `decode(${parameter}, 'hex')`;

function statementsOf(of: KeyedColumn) {
  const { table, column, id, batch, isUnique } = of;
  const name = nameOfColumn(of);
  const other = `EXISTS (SELECT FROM ${table} o WHERE o.workspace_id = $1 AND o.environment = $2 AND o.${column} = $5)`;
  const renewed = isUnique ? `CASE WHEN ${other} THEN NULL ELSE $5::bytea END` : '$5';
  return {
    list: sql<KeyedValue>(
      `sealed/list/${name}`,
      `SELECT ${idOf(of)} AS id, t.${column} AS value FROM ${table} t WHERE ${ofTenant} AND t.${column} IS NOT NULL
       AND ${fingerprintOf(of)} <> $3 AND t.${id} > ${givenId(of, '$4')} ORDER BY t.${id} LIMIT ${batch}`,
    ),
    replace: sql(
      `sealed/replace/${name}`,
      `UPDATE ${table} t SET ${column} = ${renewed} WHERE ${ofTenant} AND t.${id} = ${givenId(of, '$3')} AND t.${column} = $4`,
    ),
    count: sql<KeyCount>(
      `sealed/count/${name}`,
      `SELECT '${name}' AS what, ${fingerprintOf(of)} AS fingerprint, count(*) AS count
       FROM ${table} t WHERE ${ofTenant} AND t.${column} IS NOT NULL GROUP BY 2`,
    ),
  };
}

const statements = new Map<KeyedColumn, ReturnType<typeof statementsOf>>(
  keyedColumns.map((of) => [of, statementsOf(of)]),
);
const statementsFor = (of: KeyedColumn) => defined(statements.get(of), 'each column has its statements');

export class SealedRows {
  readonly #tenant: readonly [string, string];
  readonly #run: Run;

  constructor({ workspaceId, environment }: Scope, run: Run) {
    this.#tenant = [workspaceId, environment];
    this.#run = run;
  }

  /** Some values that another key than that of the fingerprint has made, in the order of their ids. */
  async listOthers(
    of: KeyedColumn,
    { fingerprint, after }: { fingerprint: string; after: string },
  ): Promise<readonly KeyedValue[]> {
    return (await this.#run(statementsFor(of).list, [...this.#tenant, fingerprint, after])).rows;
  }

  /** Returns whether the value was still as it had been. */
  async replace(of: KeyedColumn, { id, value }: KeyedValue, renewed: Buffer): Promise<boolean> {
    return (await this.#run(statementsFor(of).replace, [...this.#tenant, id, value, renewed])).count === 1;
  }

  /** All columns in one round trip. */
  async count(columns: readonly KeyedColumn[]): Promise<readonly KeyCount[]> {
    const outcomes = await Promise.all(columns.map((of) => this.#run(statementsFor(of).count, this.#tenant)));
    return outcomes.flatMap(({ rows }) => rows);
  }
}
