// A family with an account at a bank of its own, and the way of an auth flow to any state.

import type { Caller, Reply } from '../http/caller.ts';

export interface CustodyHousehold {
  readonly client: string;
  readonly legalEntity: string;
  readonly custodian: string;
  readonly account: string;
}

let bankCount = 0;

async function make(caller: Caller, path: string, body: object): Promise<string> {
  const reply = await caller.post(path, body);
  if (reply.status !== 201) throw new Error(`${path}: ${reply.status} ${reply.text}`);
  return reply.body.id;
}

export async function makeCustodyHousehold(caller: Caller): Promise<CustodyHousehold> {
  const custodian = await make(caller, '/v1/custodians', { name: `Custody bank ${++bankCount}` });
  const client = await make(caller, '/v1/clients', { name: 'Family' });
  const legalEntity = await make(caller, '/v1/legal-entities', { client_id: client, name: 'Holding' });
  const account = await make(caller, '/v1/accounts', {
    entity_id: legalEntity,
    custodian_id: custodian,
    currency: 'EUR',
    external_identifier: `ACC-${bankCount}`,
  });
  return { client, legalEntity, custodian, account };
}

const ofAuthority = ['link', 'unlink', 'reconnect', 'revoke', 'confirm-revocation'];

/** Takes a step on a flow, or on its authority. */
export async function step(caller: Caller, flow: string, verb: string, body?: object): Promise<Reply> {
  if (!ofAuthority.includes(verb)) return caller.post(`/v1/admin/auth-flows/${flow}/${verb}`, body);
  const { authority_id: authority } = (await caller.get(`/v1/auth-flows/${flow}`)).body;
  return caller.post(`/v1/admin/authorities/${authority}/${verb}`, body);
}

/** Starts a flow for the legal entity, and grants it if it is to be active. */
export async function startFlow(
  caller: Caller,
  { custodian, legalEntity }: CustodyHousehold,
  state?: 'active',
  grant: object = {},
): Promise<any> {
  const body = { custodian_id: custodian, legal_entity_id: legalEntity };
  const reply = await caller.post('/v1/admin/auth-flows', body);
  if (reply.status !== 201) throw new Error(`No auth flow: ${reply.status} ${reply.text}`);
  if (state === undefined) return reply.body;
  await step(caller, reply.body.id, 'consent', { consent_type: 'operator' });
  return (await step(caller, reply.body.id, 'grant', grant)).body;
}
