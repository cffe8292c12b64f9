// The sealed values of custody: secrets of custodians, credentials of authorities, consents in progress, and consent files. They are
// not fields of their records, so that no answer can show them.

import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { memoized, sql } from '../postgres/statement.ts';

const sealedColumns = {
  custodian: 'oauth_client_secret_sealed',
  authority: 'credentials_sealed',
  auth_flow: 'pending_sealed',
  auth_flow_file: 'content_sealed',
} as const;

const replaceCredentials = sql(
  'custody/replace-credentials',
  `UPDATE authority SET credentials_sealed = $5 WHERE workspace_id = $1 AND environment = $2 AND id = $3
   AND credentials_sealed IS NOT DISTINCT FROM $4::bytea`,
);

export class SealedValues {
  readonly #run: Run;
  readonly #tenant: readonly [string, string];

  constructor(scope: Scope, run: Run) {
    this.#run = run;
    this.#tenant = [scope.workspaceId, scope.environment];
  }

  /** Of a record that the caller sees; null if it has none. */
  async find(table: keyof typeof sealedColumns, id: string): Promise<Buffer | null> {
    const statement = memoized<{ sealed: Buffer | null }>(
      `custody/sealed/${table}`,
      () =>
        `SELECT t.${sealedColumns[table]} AS sealed FROM ${table} t WHERE t.workspace_id = $1 AND t.environment = $2 AND t.id = $3`,
    );
    return (await this.#run(statement, [...this.#tenant, id])).rows[0]?.sealed ?? null;
  }

  /** Returns whether the authority still had the former credentials. */
  async replaceCredentials(
    authorityId: string,
    { former, renewed }: { readonly former: Buffer | null; readonly renewed: Buffer },
  ): Promise<boolean> {
    return (await this.#run(replaceCredentials, [...this.#tenant, authorityId, former, renewed])).count === 1;
  }
}
