// People for tests: adds them to clients, invites them, and signs them in with a verified identity.

import { acceptInvite } from '../../../src/actions/people/invite-acceptance.ts';
import type { InviteAcceptance, InviteRejection } from '../../../src/actions/people/invite-result.ts';
import { openMessage } from '../../../src/actions/people/mail.ts';
import type { VerifiedIdentity } from '../../../src/model/people/identity.ts';
import type { Caller } from '../http/caller.ts';
import type { SharedService } from '../node/test-service.ts';
import { runSql } from '../database/sql.ts';

export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
export const unknownUuid = '01234567-89ab-7def-8123-456789abcdef';

let addressCount = 0;

/** A unique address. */
export function newEmail(): string {
  return `somebody${++addressCount}@people.example`;
}

export interface NewUserFields {
  readonly email?: string;
  readonly first_name?: string;
  readonly last_name?: string;
  readonly role?: string;
  readonly reporting_entity_ids?: readonly string[];
}

/** Adds a user to a client and returns their id. */
export async function makeUser(caller: Caller, client: string, fields: NewUserFields = {}): Promise<string> {
  const body = { client_id: client, email: newEmail(), first_name: 'Some', last_name: 'Body', ...fields };
  const reply = await caller.post('/v1/users', body);
  if (reply.status !== 201) throw new Error(`No user: ${reply.status} ${reply.text}`);
  return reply.body.id;
}

/** Sends an invite and returns its id. */
export async function makeInvite(caller: Caller, user: string, fields: object = {}): Promise<string> {
  const reply = await caller.post('/v1/invites', { user_id: user, ...fields });
  if (reply.status !== 201) throw new Error(`No invite: ${reply.status} ${reply.text}`);
  return reply.body.id;
}

/** The secret of the link in the mail of an invite. */
export async function inviteSecretOf({ database, context }: SharedService, invite: string): Promise<string> {
  const text = 'SELECT workspace_id, environment, id, message_sealed FROM mail WHERE invite_id = $1';
  const [row] = await runSql<any>(database, text, [invite]);
  const tenant = { workspaceId: row.workspace_id, environment: row.environment };
  const message = openMessage(context, tenant, { id: row.id, messageSealed: row.message_sealed });
  return /\/invites\/([\w-]+)/.exec(message.text)![1]!;
}

/** The secret of the newest link that was mailed to an administrator. */
export async function administratorSecretOf(service: SharedService, person: string): Promise<string> {
  const text = 'SELECT max(id) AS id FROM administrator_link WHERE person_id = $1';
  const [row] = await runSql<{ id: string }>(service.database, text, [person]);
  return inviteSecretOf(service, row!.id);
}

let subjectCount = 0;

/** An identity as a provider verifies it. */
export function verifiedIdentity(email: string, fields: Partial<VerifiedIdentity> = {}): VerifiedIdentity {
  return {
    provider: 'provider_a',
    issuer: 'https://provider-a.example',
    subject: `subject ${++subjectCount}`,
    email,
    emailVerified: true,
    ...fields,
  };
}

/** Opens the link of an invite and signs in. */
export async function acceptInviteAs(
  service: SharedService,
  invite: string,
  identity: VerifiedIdentity,
): Promise<InviteAcceptance | InviteRejection> {
  return acceptInvite(service.context, await inviteSecretOf(service, invite), identity);
}

/** Adds a user to a client and accepts their invite. */
export async function makeMember(service: SharedService, client: string, fields: NewUserFields = {}): Promise<string> {
  const email = fields.email ?? newEmail();
  const user = await makeUser(service.admin, client, { ...fields, email });
  const outcome = await acceptInviteAs(
    service,
    await makeInvite(service.admin, user, { client_id: client }),
    verifiedIdentity(email),
  );
  if (outcome.outcome !== 'accepted') throw new Error(`No member: ${outcome.reason}`);
  return user;
}
