// What a client that adds, deletes and adds an address again can learn about other clients: nothing. Whether the address is new or known
// elsewhere, every answer is the same.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../setup/http/caller.ts';
import { makeMember, makeUser, newEmail } from '../../setup/people/members.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { makeRecord } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
let admin: Caller;
let [elsewhere, entityElsewhere] = ['', ''];

beforeAll(async () => {
  ({ admin } = service);
  elsewhere = await admin.makeClient('Elsewhere');
  entityElsewhere = await makeRecord(admin, 'reporting-entities', { name: 'There', client_id: elsewhere });
});

/** Names ids in the order of their appearance, so that two transcripts can be compared. */
function withNamedIds(text: string): string {
  const seen = new Map<string, string>();
  const pattern =
    /[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}|\b[0-9a-f]{24}\b|(?<=somebody)\d+/gi;
  return text.replaceAll(pattern, (id) => {
    if (!seen.has(id)) seen.set(id, `<${seen.size}>`);
    return seen.get(id)!;
  });
}

/** Everything that a token bound to one client can send about an address, with the answers. */
async function transcriptOf(email: string): Promise<string> {
  const client = await admin.makeClient('Here');
  const entity = await makeRecord(admin, 'reporting-entities', { name: 'Here', client_id: client });
  const caller = await admin.becomeApplication({ rights: ['read', 'write', 'admin'], scoped_to: client });
  const lines: string[] = [];
  const send = async (verb: 'get' | 'post' | 'patch' | 'delete', path: string, body?: object): Promise<any> => {
    const reply = await caller.send(path, { method: verb.toUpperCase(), ...(body === undefined ? {} : { body }) });
    const { request_id: _request, ...shown } = reply.status === 204 ? {} : reply.body;
    lines.push(`${verb} ${path} ${reply.status} ${JSON.stringify(shown)}`);
    return reply.body;
  };
  const invites: string[] = [];
  let id = '';
  for (const written of [email, email.toUpperCase(), email]) {
    const fields = { client_id: client, email: written, first_name: 'Astrid', last_name: 'Lindqvist' };
    ({ id } = await send('post', '/v1/users', { ...fields, reporting_entity_ids: [entity] }));
    await send('post', '/v1/users', fields);
    await send('get', `/v1/users/${id}`);
    await send('get', '/v1/users');
    await send('get', `/v1/users?email=${email}`);
    await send('get', `/api/v2/users/${id}`);
    await send('get', `/v2/clients/${client}/users`);
    await send('patch', `/v1/users/${id}`, { last_name: 'Berg', role: 'advisor' });
    await send('patch', `/v1/users/${id}`, { email: newEmail() });
    invites.push((await send('post', '/v1/invites', { user_id: id })).id);
    invites.push((await send('post', '/v1/invites', { user_id: id })).id);
    await send('get', `/v1/users/${id}/export`);
    await send('post', `/v1/users/${id}/disable`);
    await send('post', `/v1/users/${id}/enable`);
    await send('delete', `/v1/users/${id}`);
    await send('get', `/v1/users/${id}`);
    await send('get', `/v1/users/${id}/export`);
    await send('post', '/v1/invites', { user_id: id });
    await send('get', `/api/v2/users/${id}/invites`);
    for (const invite of invites) await send('get', `/v1/invites/${invite}`);
    await send('get', `/v1/invites?user_id=${id}`);
    await send('get', '/v1/audit-log?limit=100&subject_type=user');
    await send('get', '/v1/audit-log?limit=100&subject_type=invite');
    await send('post', `/v1/users/${id}/erasure`);
  }
  return withNamedIds(lines.join('\n'));
}

describe('the answers to a client are the same, and an address has the same id every time,', () => {
  test.each<[situation: string, prepare: (email: string) => Promise<unknown>]>([
    ['where another client has added the address', (email) => makeUser(admin, elsewhere, { email })],
    [
      'where another client wrote it with other capital letters',
      (email) => makeUser(admin, elsewhere, { email: email.replace('somebody', 'SomeBody') }),
    ],
    [
      'where it belongs to an admin of another client, who has joined it',
      (email) => makeMember(service, elsewhere, { email, role: 'admin', reporting_entity_ids: [entityElsewhere] }),
    ],
    [
      'where another client has disabled it',
      async (email) =>
        admin.send(`/v1/users/${await makeMember(service, elsewhere, { email })}/disable`, { method: 'POST' }),
    ],
    [
      'where another client had it and has deleted it',
      async (email) => admin.delete(`/v1/users/${await makeMember(service, elsewhere, { email })}`),
    ],
    [
      'where another client has somebody who had it before',
      async (email) =>
        admin.patch(`/v1/users/${await makeMember(service, elsewhere, { email })}`, { email: newEmail() }),
    ],
  ])('%s', async (_situation, prepare) => {
    const [unknown, known] = [newEmail(), newEmail()];
    await prepare(known);
    const expected = await transcriptOf(unknown);
    expect(await transcriptOf(known)).toBe(expected);
  });
});
