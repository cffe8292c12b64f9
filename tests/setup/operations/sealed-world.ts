// A workspace with a value of every kind that an encryption key makes, each written by the service, and what shows on any node that each of
// them still means the same.

import { expect } from 'vitest';
import { chainAuditLines, verifyAuditChain } from '../../../src/actions/access/audit-chain.ts';
import { openSealedKey } from '../../../src/actions/access/sealed-key.ts';
import { openReadWork, runInTransaction, serviceAuthor } from '../../../src/actions/core/work.ts';
import { openAccess } from '../../../src/actions/custody/connector-access.ts';
import { openSecrets } from '../../../src/actions/events/webhook.ts';
import { personIdFor } from '../../../src/actions/people/user.ts';
import type { Id } from '../../../src/kit/id.ts';
import type { Tenant } from '../../../src/model/access/scope.ts';
import type { Connector } from '../../../src/model/custody/connector.ts';
import { makeCustodyHousehold, startFlow, step } from '../custody/custody-household.ts';
import { runSql } from '../database/sql.ts';
import { tenantOf } from '../events/event-source.ts';
import { Caller, type Reply } from '../http/caller.ts';
import type { TestService } from '../node/test-service.ts';
import { inviteSecretOf, makeInvite, makeUser, newEmail } from '../people/members.ts';

type Node = Pick<TestService, 'admin'> & Parameters<typeof inviteSecretOf>[0];

/** A custodian that grants whatever comes back with the code `yes`. */
const connector: Connector = {
  kind: 'oauth-pull',
  beginConsent: async ({ settings, state }) => ({
    redirectUrl: `${settings.authorizationUrl}?${new URLSearchParams({ state })}`,
    pending: `verifier of ${state}`,
  }),
  completeConsent: async ({ parameters }) => ({ credentials: `token for ${parameters['code']}`, expiresAt: null }),
  listAccounts: async () => [],
  async *fetchSince() {},
};

export function useConnector({ context }: Pick<Node, 'context'>): void {
  (context.connectors as Map<string, Connector>).set('oauth-pull', connector);
}

function done(reply: Reply): any {
  if (reply.status >= 300) throw new Error(`${reply.status} ${reply.text}`);
  return reply.body;
}

export interface SealedWorld {
  readonly tenant: Tenant;
  readonly credentials: { readonly clientId: string; readonly clientSecret: string };
  readonly webhook: string;
  readonly webhookSecrets: readonly string[];
  readonly invite: string;
  readonly inviteSecret: string;
  readonly email: string;
  readonly user: string;
  /** Was a user, and is none any more. */
  readonly formerEmail: string;
  readonly formerUser: string;
  readonly filePath: string;
  readonly custodian: string;
  readonly authority: string;
  /** A consent that somebody is giving at this moment. */
  readonly pending: { readonly flow: string; readonly state: string; readonly custodian: string };
  readonly repeated: { readonly name: string; readonly client: string };
}

const custodianSecret = 'what the bank has issued';
const mandate = Buffer.from('%PDF a signed mandate');

export async function makeSealedWorld(node: Node, admin: Caller): Promise<SealedWorld> {
  useConnector(node);
  const tenant = await tenantOf(admin);
  const application = done(
    await admin.post('/v1/applications', { name: 'Reports', rights: ['read', 'write', 'admin'] }),
  );
  const name = `Family ${application.id}`;
  const { id: client } = done(await admin.post('/v1/clients', { name }, { 'idempotency-key': name }));

  const url = 'https://office.example/hook';
  const events = ['limit.breached', 'transaction.created'];
  const webhook = done(await admin.post('/v1/webhooks', { url, events, scheme: 'hmac' }));
  const rotated = done(await admin.send(`/v1/webhooks/${webhook.id}/rotate-secret`, { method: 'POST' }));
  done(await admin.get('/v1/webhook-keys'));

  const [email, formerEmail] = [newEmail(), newEmail()];
  const user = await makeUser(admin, client, { email });
  const invite = await makeInvite(admin, user);
  const formerUser = await makeUser(admin, client, { email: formerEmail });
  done(await admin.delete(`/v1/users/${formerUser}`));

  const home = await makeCustodyHousehold(admin);
  const settings = { connector: 'oauth-pull', authorization_url: 'https://bank.example/authorize' };
  const custodianPath = `/v1/admin/custodians/${home.custodian}`;
  const types = ['redirect', 'operator', 'signed-document'];
  done(await admin.patch(custodianPath, { ...settings, supported_consent_types: types }));
  done(await admin.patch(custodianPath, { oauth_client_secret: custodianSecret }));
  const begin = async (from: typeof home): Promise<{ flow: any; state: string }> => {
    const flow = await startFlow(admin, from);
    const { redirect_url: redirect } = done(await step(admin, flow.id, 'consent', { consent_type: 'redirect' }));
    return { flow, state: new URL(redirect).searchParams.get('state')! };
  };
  const granted = await begin(home);
  await comeBack(admin, home.custodian, granted.state);

  const other = await makeCustodyHousehold(admin);
  done(await admin.patch(`/v1/admin/custodians/${other.custodian}`, { ...settings, supported_consent_types: types }));
  const pending = await begin(other);

  const third = await makeCustodyHousehold(admin);
  done(await admin.patch(`/v1/admin/custodians/${third.custodian}`, { expected_files: ['Mandate'] }));
  const withFiles = await startFlow(admin, third);
  const filesPath = `/v1/admin/auth-flows/${withFiles.id}/files`;
  const sent = { name: 'mandate.pdf', media_type: 'application/pdf', content: mandate.toString('base64') };
  const file = done(await admin.post(filesPath, { ...sent, expected_file: 'Mandate' }));
  await chainAuditLines(node.context);
  return {
    tenant,
    credentials: { clientId: application.client_id, clientSecret: application.client_secret },
    webhook: webhook.id,
    webhookSecrets: [rotated.secret, webhook.secret],
    invite,
    inviteSecret: await inviteSecretOf(node, invite),
    email,
    user,
    formerEmail,
    formerUser,
    filePath: `${filesPath}/${file.id}`,
    custodian: home.custodian,
    authority: granted.flow.authority_id,
    pending: { flow: pending.flow.id, state: pending.state, custodian: other.custodian },
    repeated: { name, client },
  };
}

function comeBack({ address }: Caller, custodian: string, state: string): Promise<Reply> {
  const query = new URLSearchParams({ state, code: 'yes' });
  return new Caller(address, null).get(`/connect/callback/${custodian}?${query}`);
}

/** On a node, whichever keys it has: everything opens, is recognised, and is what it was. */
export async function expectWhole(node: Node, world: SealedWorld): Promise<void> {
  const { tenant } = world;
  const { context } = node;
  const caller = await Caller.withCredentials(node.admin.address, world.credentials);
  const author = serviceAuthor(tenant);

  const [target] = await runSql<any>(
    node.database,
    `SELECT secret_sealed AS "secretSealed", previous_secret_sealed AS "previousSecretSealed",
       previous_secret_until AS "previousSecretUntil" FROM webhook WHERE id = $1`,
    [world.webhook],
  );
  const secrets = openSecrets(context, tenant, world.webhook as Id, target);
  expect([secrets.present, secrets.previous?.secret]).toEqual(world.webhookSecrets);
  for (const [table, purpose] of [
    ['webhook_key', 'webhook-key'],
    ['signing_key', 'signing-key'],
  ] as const) {
    const text = `SELECT id, public_jwk, private_sealed FROM ${table} WHERE workspace_id = $1 AND environment = $2`;
    const keys = await runSql<any>(node.database, text, [tenant.workspaceId, tenant.environment]);
    expect(keys.length).toBeGreaterThan(0);
    for (const { id, public_jwk: publicJwk, private_sealed: privateSealed } of keys)
      expect(openSealedKey(context, purpose, { tenant, id, privateSealed })).toMatchObject({ x: publicJwk.x });
  }

  expect(await inviteSecretOf(node, world.invite)).toBe(world.inviteSecret);
  // The line of the audit log is sealed with a key of the person, and that key with the encryption key.
  const { data } = done(await caller.get(`/v1/audit-log?limit=100&subject_id=${world.user}`));
  expect(data.map(({ after }: any) => after?.email)).toContain(world.email);
  const ids = await runInTransaction(context, author, async (work) => [
    await personIdFor(work, world.email),
    await personIdFor(work, world.formerEmail),
  ]);
  expect(ids).toEqual([world.user, world.formerUser]);

  expect(done(await caller.get(world.filePath)).content).toBe(mandate.toString('base64'));
  const access = await openAccess(context, {
    tenant,
    authority: world.authority as Id,
    signal: AbortSignal.timeout(60_000),
    purpose: 'feed',
  });
  expect(access?.access.credentials).toBe('token for yes');
  expect(access?.access.settings.oauthClientSecret).toBe(custodianSecret);
  const flow = await openReadWork(context, author).store.custody.sealed.find('auth_flow', world.pending.flow);
  expect(flow).not.toBeNull();

  const { name, client } = world.repeated;
  const headers = { 'idempotency-key': name };
  const replayed = await caller.post('/v1/clients', { name }, headers);
  expect([replayed.headers.get('idempotent-replayed'), replayed.body.id]).toEqual(['true', client]);

  expect((await verifyAuditChain(context, tenant)).faults).toEqual([]);
}
