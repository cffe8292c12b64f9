// Inserts people who have accepted their invites straight into the database, and makes them callers: in a session, or through a token
// that a key obtained for them.

import { openSession } from '../../../src/actions/access/session.ts';
import type { Id } from '../../../src/kit/id.ts';
import type { Role } from '../../../src/model/people/role.ts';
import { Keyring } from '../../../src/signing/keyring.ts';
import { signAssertion, requestToken, registerRsa, type Signer } from '../access/assertion.ts';
import { Caller, type Reply, type CallOptions } from '../http/caller.ts';
import type { SharedService } from '../node/test-service.ts';
import { runSql } from '../database/sql.ts';

export interface MembershipFixture {
  readonly client: string;
  readonly role: Role;
  /** The reporting entities that they may read. */
  readonly grants?: readonly string[];
  readonly status?: 'invited' | 'active' | 'disabled';
}

export interface PersonFixture {
  readonly name?: readonly [first: string, last: string];
  readonly memberships: readonly MembershipFixture[];
}

type ServiceParts = Pick<SharedService, 'database' | 'context' | 'first' | 'clock' | 'admin'>;

/** The same service, for people of the sandbox of its first workspace. */
export async function inSandbox(service: SharedService): Promise<ServiceParts & Pick<SharedService, 'addresses'>> {
  const { database, context, clock, admin, addresses, first } = service;
  // The environment is there from its first application on.
  await admin.post('/v1/applications', { name: 'Sandbox', environment: 'sandbox', rights: ['read'] });
  return { database, context, clock, admin, addresses, first: { ...first, environment: 'sandbox' } };
}

let personCount = 0;

/** Inserts a person into the first workspace and returns the id. */
export async function insertPerson(service: ServiceParts, { name, memberships }: PersonFixture): Promise<string> {
  const { database, context, first, clock } = service;
  const id = context.ids.nextUuid();
  const [firstName, lastName] = name ?? ['Person', String(++personCount)];
  const address = `${firstName}.${lastName}@people.test`.toLowerCase();
  const personKey = [first.workspaceId, first.environment, id];
  const now = new Date(clock.now());
  await runSql(database, 'INSERT INTO person VALUES ($1, $2, $3, $4, $4, $5)', [...personKey, address, now]);
  const sealed = context.keyring.seal('person-key', Keyring.generate(), personKey.join('/'));
  const keyText = `INSERT INTO person_key (workspace_id, environment, person_id, key_sealed, created_at) VALUES ($1, $2, $3, $4, $5)`;
  await runSql(database, keyText, [...personKey, sealed, now]);
  for (const membership of memberships) await insertMembership(service, id, membership, [firstName, lastName]);
  return id;
}

export async function insertMembership(
  { database, first, clock }: ServiceParts,
  personId: string,
  { client, role, grants = [], status = 'active' }: MembershipFixture,
  [firstName, lastName]: readonly [string, string] = ['Person', 'Again'],
): Promise<void> {
  const tenant = [first.workspaceId, first.environment];
  const now = new Date(clock.now());
  const [joined, disabled] = [status === 'invited' ? null : now, status === 'disabled' ? now : null];
  await runSql(
    database,
    `INSERT INTO membership (workspace_id, environment, client_id, person_id, first_name, last_name, role, created_at, joined_at,
      disabled_at, contact_email, address_key) SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, contact_email, address_key
      FROM person WHERE workspace_id = $1 AND environment = $2 AND id = $4`,
    [...tenant, client, personId, firstName, lastName, role, now, joined, disabled],
  );
  for (const grant of grants) {
    await runSql(database, 'INSERT INTO read_grant VALUES ($1, $2, $3, $4, $5)', [...tenant, client, personId, grant]);
  }
}

/** Inserts a person who administers the first workspace and belongs to no client, and returns the id. */
export async function insertAdministrator(service: ServiceParts): Promise<string> {
  const id = await insertPerson(service, { memberships: [] });
  const { database, first, clock } = service;
  await runSql(
    database,
    `INSERT INTO workspace_administrator (workspace_id, environment, person_id, first_name, last_name, created_at, joined_at)
     VALUES ($1, $2, $3, 'Ada', 'Ministrator', $4, $4)`,
    [first.workspaceId, first.environment, id, new Date(clock.now())],
  );
  return id;
}

/** A person who is signed in, on one of our pages. */
export class SignedInCaller extends Caller {
  readonly cookie: string;
  readonly csrf: string;
  readonly origin: string;

  constructor(address: string, { cookie, csrf, origin }: { cookie: string; csrf: string; origin: string }) {
    super(address, null);
    this.cookie = cookie;
    this.csrf = csrf;
    this.origin = origin;
  }

  override send(path: string, options: CallOptions = {}): Promise<Reply> {
    const isSafe = (options.method ?? 'GET') === 'GET';
    const csrfHeaders = isSafe ? {} : { 'x-csrf-token': this.csrf, origin: this.origin };
    return super.send(path, { ...options, headers: { cookie: this.cookie, ...csrfHeaders, ...options.headers } });
  }
}

export async function signIn(
  { context, first, admin, addresses }: Pick<SharedService, 'context' | 'first' | 'admin' | 'addresses'>,
  personId: string,
): Promise<SignedInCaller> {
  const { workspaceId, environment } = first;
  const { secret, csrf } = await openSession(context, { workspaceId: workspaceId as Id, environment, personId });
  return new SignedInCaller(admin.address, { cookie: `holdfast_session=${secret}`, csrf, origin: addresses.baseUrl });
}

/** Requests a token for a user with a key. */
export function requestUserToken(
  { clock, addresses, admin }: SharedService,
  signer: Signer,
  personId: string,
): Promise<Reply> {
  const assertionInput = { now: clock.now(), audience: addresses.baseUrl };
  return requestToken(signer, admin, signAssertion(signer, assertionInput, { claims: { sub: personId } }));
}

export async function callerForUser(service: SharedService, personId: string, key?: Signer): Promise<Caller> {
  const signer = key ?? (await registerRsa(service.admin, undefined, { rights: ['read', 'write', 'admin'] }));
  const { status, body, text } = await requestUserToken(service, signer, personId);
  if (status !== 200) throw new Error(`No token: ${status} ${text}`);
  return service.admin.withToken(body.access_token);
}
