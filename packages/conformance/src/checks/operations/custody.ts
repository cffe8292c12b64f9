// Brings the record that a write is about into the state in which the write is possible: a new one, so that no other check is in its way.

import type { Answer } from '../../api.ts';
import type { World } from '../../check.ts';
import { Skipped } from '../../outcome.ts';
import type { Operation } from '../../contract/contract.ts';
import { typeOf } from '../../contract/records.ts';

export interface Prepared {
  send(headers: Readonly<Record<string, string>>): Promise<Answer>;
  /** Sends the same body to the same place, with the same headers or others. */
  sendAgain(headers?: Readonly<Record<string, string>>): Promise<Answer>;
}

const file = { media_type: 'application/pdf', content: 'JVBERi0xLjcK' };

async function flowWithFiles({ api, records }: World): Promise<string> {
  const flow = await records.another(records.exampleOf('auth-flow'));
  const { body } = await api.get(`/v1/auth-flows/${flow}`);
  for (const name of body.missing_files ?? [])
    await api.post(`/v1/admin/auth-flows/${flow}/files`, { name, expected_file: name, ...file });
  return flow;
}

async function consentedFlow(world: World): Promise<string> {
  const flow = await flowWithFiles(world);
  await world.api.post(`/v1/admin/auth-flows/${flow}/consent`, { consent_type: 'operator' });
  return flow;
}

/** Makes an authority that is active. */
async function makeAuthority(world: World): Promise<string | undefined> {
  const { body } = await world.api.post(`/v1/admin/auth-flows/${await consentedFlow(world)}/grant`, {});
  return body?.authority_id;
}

const authorities = new WeakMap<World['records'], Promise<void>>();

/** Nothing but a granted flow makes an authority, so reads of one wait for that. */
export function ensureAuthority(world: World): Promise<void> {
  const make = async (): Promise<void> => {
    const id = world.mayWrite && world.rights.includes('admin') ? await makeAuthority(world) : undefined;
    if (id !== undefined) world.records.use(world.records.exampleOf('authority'), id);
  };
  const made = authorities.get(world.records) ?? make();
  authorities.set(world.records, made);
  return made;
}

/** Books a file, which alone can be undone. */
async function bookedImport({ api, records }: World): Promise<string> {
  const id = await records.another(records.exampleOf('import'));
  await api.send('POST', `/v1/imports/${id}/book`);
  return id;
}

/** The record for an operation that needs another state than a new one has. */
const states: Readonly<Record<string, (world: World) => Promise<string | undefined>>> = {
  'v1.auth-flow.consent': flowWithFiles,
  'v1.auth-flow.submit': consentedFlow,
  'v1.auth-flow.grant': consentedFlow,
  'v1.authority.connect-accounts': makeAuthority,
  'v1.authority.link': makeAuthority,
  'v1.authority.unlink': makeAuthority,
  'v1.authority.reconnect': makeAuthority,
  'v1.authority.revoke': makeAuthority,
  async 'v1.authority.confirm-revocation'(world) {
    const id = await makeAuthority(world);
    await world.api.send('POST', `/v1/admin/authorities/${id}/revoke`);
    return id;
  },
  'v1.import.undo': bookedImport,
  async 'v1.delivery.replay'({ api, records }) {
    const id = await records.another(records.exampleOf('delivery'));
    const { body } = await api.get(`/v1/deliveries/${id}`);
    if (body?.state === 'pending') throw new Skipped('Only what was delivered, or given up, can be delivered again.');
    return id;
  },
  'v1.sandbox-client.delete': ({ records }) => records.another('sandbox-client'),
  'v1.sandbox-client.advance': ({ records }) => records.another('sandbox-client'),
};

/** Changes keep to the record of the examples, which reports are about; everything else gets a record of its own. */
export async function prepareFor(world: World, operation: Operation): Promise<Prepared> {
  const { api, records } = world;
  const { method, parameters, id, server } = operation;
  const example = parameters.findLast((one) => one.in === 'path')?.example;
  const isOwn = example !== undefined && method !== 'PATCH' && !id.endsWith('.create') && !id.includes('.bulk');
  const fresh = isOwn ? await (states[id]?.(world) ?? records.another(example)) : undefined;
  const path = await records.pathFor(operation, fresh);
  const body = await records.bodyFor(operation);
  let last: Readonly<Record<string, string>> = {};
  const sendAgain = (headers = last): Promise<Answer> =>
    api.send(method, path, { ...body, headers: { ...typeOf(operation), ...headers }, server });
  return {
    async send(headers) {
      last = headers;
      const answer = await sendAgain(headers);
      records.keep(answer);
      return answer;
    },
    sendAgain,
  };
}
