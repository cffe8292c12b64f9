// Opens what the checks work with: a token, the document, a client of the run's own, and tokens that may do less. Deletes in the end
// what the whole workspace would see.

import type { Api } from './api.ts';
import type { World } from './check.ts';
import { useKey } from './checks/operations/refusals.ts';
import { Contract, type Right } from './contract/contract.ts';
import { firstDateOfRates, Records } from './contract/records.ts';

export interface Target {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly receiver?: World['receiver'];
}

const allRights: readonly Right[] = ['read', 'write', 'admin'];

async function makeClient(api: Api): Promise<Pick<World, 'client' | 'legalEntity' | 'account' | 'reportingEntity'>> {
  const name = `Conformance ${new Date().toISOString()}`;
  const client = await api.create('clients', { name, reference_currency: 'CHF' });
  const legalEntity = await api.create('legal-entities', { client_id: client, name });
  const account = await api.create('accounts', { entity_id: legalEntity, name: 'Cash', currency: 'CHF' });
  const reportingEntity = await api.create('reporting-entities', { client_id: client, name: 'All' });
  return { client, legalEntity, account, reportingEntity };
}

interface Application {
  readonly address: string;
  readonly token: string;
}

async function makeApplication(api: Api, fields: object): Promise<Application | undefined> {
  const { status, body } = await api.post('/v1/applications', { name: 'Conformance', ...fields });
  if (status !== 201) return undefined;
  return {
    address: `/v1/applications/${body.id}`,
    token: await api.tokenFor(body.client_id, body.client_secret),
  };
}

/** Runs once, when it is first asked for. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

/** A token without each right: the run's own where it lacks it anyway. */
async function lesserTokens(api: Api, rights: readonly Right[], keep: (address: string) => void) {
  const tokens = new Map<Right, string>();
  for (const right of allRights) {
    const rest = rights.filter((one) => one !== right);
    if (!rights.includes(right) && api.token !== null) tokens.set(right, api.token);
    if (!rights.includes(right) || !rights.includes('admin') || rest.length === 0) continue;
    const made = await makeApplication(api, { rights: rest });
    if (made === undefined) continue;
    tokens.set(right, made.token);
    keep(made.address);
  }
  return tokens;
}

const nothing = { client: '', legalEntity: '', account: '', reportingEntity: '' };

export async function openWorld(
  api: Api,
  { clientId, clientSecret, receiver }: Target,
): Promise<{ readonly world: World; readonly environment: string }> {
  api.token = await api.tokenFor(clientId, clientSecret);
  const contract = new Contract((await api.get('/openapi.json', { token: null })).body ?? {});
  const me = (await api.get('/v1/me')).body ?? {};
  const rights: readonly Right[] = me.rights ?? allRights;
  const mayWrite = rights.includes('write') && rights.includes('read');
  const made = mayWrite ? await makeClient(api) : nothing;
  const records = new Records({ api, contract, client: mayWrite ? made.client : undefined });
  const keep = (address: string): void => void records.made.push(address);
  const tokens = await lesserTokens(api, rights, keep);
  const world: World = {
    api,
    clientId,
    clientSecret,
    contract,
    records,
    rights,
    mayWrite,
    receiver,
    ...made,
    tokenWithout: (right) => tokens.get(right),
    tokenOfAnother: once(async () => {
      if (!rights.includes('admin') || !mayWrite) return undefined;
      const another = await api.create('clients', { name: 'Conformance, another client' });
      keep(`/v1/clients/${another}`);
      const application = await makeApplication(api, { rights, scoped_to: another });
      if (application !== undefined) keep(application.address);
      return application?.token;
    }),
    usedKey: once(() => useKey(world)),
  };
  return { world, environment: me.environment ?? '' };
}

/** What belongs to the client of the run stays with it. */
const ofTheWorkspace =
  /^\/v1\/(applications|keys|webhooks|users|administrators|custodians|instrument-classes|import-profiles|identifier-mappings|fx-rates|clients|sandbox\/clients)\//;

/** The latest first: others may refer to what was there before. What cannot be deleted stays. */
export async function tidyUp({ api, records, mayWrite, client }: World): Promise<void> {
  if (!mayWrite) return;
  // A record has one id on all surfaces.
  const paths = records.made.map((location) =>
    new URL(location, api.url).pathname.replace(/^(\/api)?\/v\d(\/auth)?\//, '/v1/'),
  );
  // Not everything was answered with its address.
  for (const query of [`users?client_id=${client}&limit=100`, `fx-rates?start=${firstDateOfRates}&limit=100`]) {
    const { body } = await api.get(`/v1/${query}`);
    paths.push(...(body?.data ?? []).map(({ id }: { id: string }) => `/v1/${query.split('?')[0]}/${id}`));
  }
  for (const path of paths.toReversed())
    if (ofTheWorkspace.test(path) && !path.endsWith(client)) await api.send('DELETE', path);
}
