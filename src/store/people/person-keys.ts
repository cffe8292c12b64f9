// The sealed keys of people. Personal data in records that cannot be changed is encrypted with the person's key: the key outlives the
// person's row, and deleting it erases the data. It also keeps which id an address has, so that an address added again has the same.

import type { Id } from '../../kit/id.ts';
import { addressKey } from '../../model/people/email-address.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { bytesTexts, sql } from '../postgres/statement.ts';

export interface StoredPersonKey {
  readonly personId: string;
  readonly keySealed: Buffer;
}

export interface NewPersonKey extends StoredPersonKey {
  /** A keyed digest, so that the address itself is not stored once the person is deleted. */
  readonly addressDigest: Buffer;
}

/** The key of an address that is being added to a client. */
interface KeyOfAddress extends StoredPersonKey {
  readonly personId: Id;
  /** Since when the person is disabled at the client, where they were before they were removed from it. */
  readonly disabledAt: number | null;
}

const hasAddress = `k.workspace_id = $1 AND k.environment = $2 AND (k.address_digest = ANY ($3::bytea[]) OR k.person_id = (SELECT p.id FROM person p
    WHERE p.workspace_id = $1 AND p.environment = $2 AND p.address_key = $4))`;
const lockOfAddress = sql(
  'person-keys/lock-of-address',
  `SELECT FROM person_key k WHERE ${hasAddress} ORDER BY k.person_id FOR NO KEY UPDATE OF k`,
);
const ofAddress = sql<KeyOfAddress>(
  'person-keys/of-address',
  `SELECT k.person_id AS "personId", k.key_sealed AS "keySealed",
     (SELECT d.disabled_at FROM disabled_former_member d WHERE d.workspace_id = $1 AND d.environment = $2 AND d.client_id = $5
       AND d.person_id = k.person_id) AS "disabledAt"
   FROM person_key k WHERE ${hasAddress}`,
);
const insertNew = sql(
  'person-keys/insert-new',
  `INSERT INTO person_key (workspace_id, environment, person_id, key_sealed, created_at, address_digest)
   VALUES ($1, $2, $3, $4, $5, $6)`,
);
const insert = sql(
  'person-keys/insert',
  `INSERT INTO person_key (workspace_id, environment, person_id, key_sealed, created_at, address_digest)
   VALUES ($1, $2, $3, $4, $5, $6)
   ON CONFLICT (workspace_id, environment, person_id) DO UPDATE SET address_digest = excluded.address_digest`,
);
const byAddress = sql<{ personId: Id }>(
  'person-keys/by-address',
  `SELECT person_id AS "personId" FROM person_key WHERE workspace_id = $1 AND environment = $2 AND address_digest = ANY ($3::bytea[])`,
);
const releaseAddress = sql<{ personId: Id }>(
  'person-keys/release-address',
  `UPDATE person_key SET address_digest = NULL
   WHERE workspace_id = $1 AND environment = $2 AND address_digest = ANY ($3::bytea[]) AND person_id <> $4 RETURNING person_id AS "personId"`,
);
const putAddress = sql(
  'person-keys/put-address',
  `UPDATE person_key SET address_digest = $4 WHERE workspace_id = $1 AND environment = $2 AND person_id = $3
   AND address_digest IS DISTINCT FROM $4`,
);
const list = sql<StoredPersonKey>(
  'person-keys/list',
  `SELECT person_id AS "personId", key_sealed AS "keySealed" FROM person_key
   WHERE workspace_id = $1 AND environment = $2 AND person_id = ANY ($3::text[])`,
);
const forgetReceiver = sql(
  'person-keys/forget-receiver',
  'UPDATE mail SET person_id = NULL WHERE workspace_id = $1 AND environment = $2 AND person_id = $3',
);
const forgetOperator = sql(
  'person-keys/forget-operator',
  'UPDATE auth_flow SET operator_id = NULL WHERE workspace_id = $1 AND environment = $2 AND operator_id = $3',
);
const forget = sql(
  'person-keys/forget',
  'DELETE FROM person_key WHERE workspace_id = $1 AND environment = $2 AND person_id = $3',
);

export class PersonKeys {
  readonly #tenant: readonly [string, string];
  readonly #run: Run;

  constructor({ workspaceId, environment }: Scope, run: Run) {
    this.#tenant = [workspaceId, environment];
    this.#run = run;
  }

  /** Stores a key unless the person has one. Enqueued. */
  append({ personId, keySealed, addressDigest }: NewPersonKey, at: number): void {
    this.#run.enqueue(insert, [...this.#tenant, personId, keySealed, new Date(at), addressDigest]);
  }

  /** Stores the key of a person who had none when it was looked up; where they have one by now, the transaction is tried again. Enqueued. */
  appendNew({ personId, keySealed, addressDigest }: NewPersonKey, at: number): void {
    this.#run.enqueue(insertNew, [...this.#tenant, personId, keySealed, new Date(at), addressDigest]);
  }

  /** The keys of an address and of the person who has it, locked until the transaction ends, so that none is deleted meanwhile. */
  async lockOfAddress(
    { address, addressDigests }: { readonly address: string; readonly addressDigests: readonly Buffer[] },
    client: Id,
  ): Promise<KeyOfAddress[]> {
    const values = [...this.#tenant, bytesTexts(addressDigests), addressKey(address)];
    const { rows } = await this.#run.withAllVisible(() => {
      this.#run.enqueue(lockOfAddress, values);
      return this.#run(ofAddress, [...values, client]);
    });
    return rows;
  }

  /** The id that an address has had, whether or not the person still exists. */
  async findIdByAddress(addressDigests: readonly Buffer[]): Promise<Id | undefined> {
    return (await this.#run(byAddress, [...this.#tenant, bytesTexts(addressDigests)])).rows[0]?.personId;
  }

  /** Records the address of a person, so that it keeps their id. Enqueued. */
  putAddress(personId: string, addressDigest: Buffer): void {
    this.#run.enqueue(putAddress, [...this.#tenant, personId, addressDigest]);
  }

  /** Takes an address from the deleted person that had it, and returns their id. */
  async releaseAddress(addressDigests: readonly Buffer[], newOwnerId: string): Promise<Id | undefined> {
    return (await this.#run(releaseAddress, [...this.#tenant, bytesTexts(addressDigests), newOwnerId])).rows[0]
      ?.personId;
  }

  async list(personIds: readonly string[]): Promise<StoredPersonKey[]> {
    return (await this.#run(list, [...this.#tenant, personIds])).rows;
  }

  /** Deletes the key, after which nothing sealed with it can be read. */
  async forget(personId: string): Promise<void> {
    await this.#run.withAllVisible(async () => {
      const values = [...this.#tenant, personId];
      await Promise.all([forgetReceiver, forgetOperator, forget].map((statement) => this.#run(statement, values)));
    });
  }
}
