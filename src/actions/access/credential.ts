// What may happen to applications and keys: who may make them, how far their reach may go, and what is kept of them.

import { randomBytes } from 'node:crypto';
import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { AnyChange, ChangeOf } from '../../kit/resource.ts';
import { client } from '../../model/structure/client.ts';
import { application, defaultRights, key, type Application, type Key } from '../../model/access/credential.ts';
import type { Environment } from '../../model/access/scope.ts';
import { hashClientSecret, makeClientSecret } from '../../signing/client-secret.ts';
import { readEcPublicKey, readRsaPublicKey, type PublicJwk } from '../../signing/public-key.ts';
import { Store } from '../../store/store.ts';
import { ensureEnvironment } from '../../store/access/workspaces.ts';
import { layOutClasses } from '../instruments/instrument-class.ts';
import { createThing, notFound, type ChangeRules, type WriteRules } from '../core/resource.ts';
import type { Work } from '../core/work.ts';

/** What is bound to a client, or to none, reaches no further than whoever makes it. */
export async function checkScope(work: Work, scopedTo: Id | null | undefined, field = 'scopedTo'): Promise<void> {
  if (scopedTo == null) {
    if (work.store.reach.sight.kind === 'all') return;
    throw new Refusal(
      'outside-reach',
      'A token bound to one client can only make what is bound to it or its descendants.',
    );
  }
  if ((await work.store.table(client).hold([scopedTo])).length === 0) throw notFound(client, { field });
}

async function commonFields(work: Work, asked: ChangeOf<typeof key>): Promise<AnyChange> {
  await checkScope(work, asked.scopedTo);
  return {
    name: asked.name,
    rights: asked.rights ?? defaultRights,
    scopedTo: asked.scopedTo ?? null,
    createdAt: new Date(work.now),
  };
}

const renameOnly = async (_work: Work, _present: unknown, asked: AnyChange): Promise<AnyChange> => asked;

export const applicationRules: ChangeRules<typeof application> = {
  resource: application,
  refusals: ['outside-reach'],
  change: renameOnly,
};

export const keyRules: ChangeRules<typeof key> = {
  resource: key,
  refusals: ['outside-reach'],
  change: renameOnly,
};

export interface ApplicationWithSecret {
  readonly application: Application;
  /** In clear for this once; only its keyed hash is stored. */
  readonly clientSecret: string;
}

export interface ChosenCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Makes an application. Its id and secret are made up unless an operator has chosen them. */
export async function createApplication(
  work: Work,
  asked: ChangeOf<typeof application>,
  chosen?: ChosenCredentials,
): Promise<ApplicationWithSecret> {
  const clientSecret = chosen?.clientSecret ?? makeClientSecret();
  const salt = randomBytes(16);
  const secret = {
    secret_salt: salt,
    secret_hash: hashClientSecret(work.house.keyring, { salt, secret: clientSecret }),
  };
  const rules: WriteRules<typeof application> = {
    ...applicationRules,
    create: async (there, fields, id) => ({
      ...(await commonFields(there, fields)),
      kind: 'application',
      clientId: chosen?.clientId ?? `hfa_${id}`,
      ...secret,
    }),
  };
  const environment = asked.environment ?? work.store.reach.environment;
  const made = await withinEnvironment(work, environment, (there) => createThing(there, rules, asked));
  return { application: made, clientSecret };
}

/** Production may open the sandbox; nothing leads from the sandbox into production. What follows happens at home again. */
async function withinEnvironment<T>(
  work: Work,
  environment: Environment,
  task: (there: Work) => Promise<T>,
): Promise<T> {
  const { reach, run } = work.store;
  if (environment === reach.environment) return task(work);
  if (reach.environment !== 'production' || reach.sight.kind !== 'all') {
    const who = reach.sight.kind === 'all' ? `A token of ${reach.environment}` : 'A token bound to one client';
    throw new Refusal('outside-reach', `${who} cannot create an application in ${environment}.`);
  }
  const there = { ...reach, environment };
  await work.house.database.switchTenant(run, there);
  await ensureEnvironment(run, { workspaceId: reach.workspaceId, environment, at: work.now });
  const workThere = { ...work, store: new Store({ ...work.store, reach: there }) };
  await layOutClasses(workThere);
  const result = await task(workThere);
  await work.house.database.switchTenant(run, reach);
  return result;
}

export interface AskedKey extends ChangeOf<typeof key> {
  readonly publicKeyPem?: string;
  readonly jwk?: unknown;
}

function readPublicKey({ publicKeyPem, jwk }: AskedKey): { kind: Key['kind']; publicJwk: PublicJwk } {
  if (publicKeyPem !== undefined && jwk !== undefined) {
    throw new Refusal('invalid-public-key', 'Send either a PEM (flow A) or a JWK (flow B), not both.');
  }
  if (publicKeyPem !== undefined) return { kind: 'rsa-key', publicJwk: readRsaPublicKey(publicKeyPem) };
  return { kind: 'ec-key', publicJwk: readEcPublicKey(jwk) };
}

export async function registerKey(work: Work, asked: AskedKey): Promise<Key> {
  const { publicKeyPem: _pem, jwk: _jwk, ...fields } = asked;
  const known = readPublicKey(asked);
  const create = async (): Promise<AnyChange> => ({ ...(await commonFields(work, fields)), ...known });
  return createThing(work, { ...keyRules, create }, fields);
}
