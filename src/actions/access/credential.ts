// The rules of applications and keys: who may create them, how wide their scope may be, and what is stored.

import { randomBytes } from 'node:crypto';
import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { AnyChange, ChangeOf } from '../../kit/resource.ts';
import { client } from '../../model/structure/client.ts';
import { application, defaultRights, key, type Application, type Key } from '../../model/access/credential.ts';
import type { Environment, Right } from '../../model/access/scope.ts';
import { hashClientSecret, makeClientSecret } from '../../signing/client-secret.ts';
import { readEcPublicKey, readRsaPublicKey, type PublicJwk } from '../../signing/public-key.ts';
import { ensureEnvironment } from './replaced-keys.ts';
import { createDefaultClasses } from '../instruments/instrument-class.ts';
import { createRecord, notFound, type ChangeRules, type WriteRules } from '../core/resource.ts';
import { snapshot } from '../core/snapshot.ts';
import { audit, lacksAllClients, lacksRight, type Work } from '../core/work.ts';

/** Refuses a scope that is wider than the caller's own. */
export async function requireWithinScope(
  work: Work,
  scopedTo: Id | null | undefined,
  field = 'scopedTo',
): Promise<void> {
  if (scopedTo == null) {
    if (!lacksAllClients(work)) return;
    throw new Refusal(
      'outside-reach',
      'A token bound to one client can only create what is bound to that client or to its descendants.',
    );
  }
  if ((await work.store.table(client).lockReferenced([scopedTo])).length === 0) throw notFound(client, { field });
}

/** Nobody hands on more than they have: a credential could otherwise create another that reads what it may not. */
function requireOwnRights(work: Work, wanted: readonly Right[]): void {
  const missing = wanted.filter((right) => lacksRight(work, right));
  if (missing.length === 0) return;
  const detail = `An application or key can be given only rights that its creator has. Missing here: ${missing.map((right) => `\`${right}\``).join(', ')}.`;
  throw new Refusal('right-missing', detail);
}

async function commonFields(work: Work, input: ChangeOf<typeof key>): Promise<AnyChange> {
  requireOwnRights(work, input.rights ?? defaultRights);
  await requireWithinScope(work, input.scopedTo);
  return {
    name: input.name,
    rights: input.rights ?? defaultRights,
    scopedTo: input.scopedTo ?? null,
    createdAt: new Date(work.now),
  };
}

/** What the credential made outlives it: the audit line of its deletion says how much there is to review. */
async function countToReview(work: Work, { id }: { readonly id: Id }): Promise<Readonly<Record<string, unknown>>> {
  return { still_in_effect: await work.store.auditLog(work.now).countInEffect(id) };
}

const renameOnly = async (_work: Work, _present: unknown, input: AnyChange): Promise<AnyChange> => input;

export const applicationRules: ChangeRules<typeof application> = {
  resource: application,
  refusals: ['outside-reach'],
  change: renameOnly,
  deletionDetails: countToReview,
};

export const keyRules: ChangeRules<typeof key> = {
  resource: key,
  refusals: ['outside-reach'],
  change: renameOnly,
  deletionDetails: countToReview,
};

interface ApplicationWithSecret {
  readonly application: Application;
  /** Returned in clear only here; only its keyed hash is stored. */
  readonly clientSecret: string;
}

export interface ChosenCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

function saltedHash({ context }: Work, secret: string): { readonly salt: Buffer; readonly hash: Buffer } {
  const salt = randomBytes(16);
  return { salt, hash: hashClientSecret(context.keyring, { salt, secret }) };
}

/** Creates an application. Generates its id and secret unless an operator has chosen them. */
export async function createApplication(
  work: Work,
  input: ChangeOf<typeof application>,
  chosen?: ChosenCredentials,
): Promise<ApplicationWithSecret> {
  const clientSecret = chosen?.clientSecret ?? makeClientSecret();
  const { salt, hash } = saltedHash(work, clientSecret);
  const secret = { secret_salt: salt, secret_hash: hash };
  const rules: WriteRules<typeof application> = {
    ...applicationRules,
    create: async (target, fields, id) => ({
      ...(await commonFields(target, fields)),
      kind: 'application',
      clientId: chosen?.clientId ?? `hfa_${id}`,
      ...secret,
    }),
  };
  const environment = input.environment ?? work.store.scope.environment;
  const created = await withinEnvironment(work, environment, (target) => createRecord(target, rules, input));
  return { application: created, clientSecret };
}

/** Replaces the secret of an application by a generated one. The old one ends at once; tokens that it has issued last their hour. */
export async function replaceClientSecret(work: Work, id: Id): Promise<ApplicationWithSecret> {
  const present = await work.store.table(application).lock(id, 'to-change');
  if (present === undefined) throw notFound(application);
  const clientSecret = makeClientSecret();
  await work.store.credentials.replaceSecret(id, saltedHash(work, clientSecret));
  const before = snapshot(application, present);
  const after = { ...before, secret_replaced_at: new Date(work.now).toISOString() };
  audit(work, { act: 'change', type: application.type, id, clientId: present.scopedTo, before, after });
  return { application: present, clientSecret };
}

/** Runs a task in another environment. Only production may do so, and only in the sandbox. Switches back afterwards. */
async function withinEnvironment<T>(
  work: Work,
  environment: Environment,
  task: (target: Work) => Promise<T>,
): Promise<T> {
  const { scope } = work.store;
  if (environment === scope.environment) return task(work);
  const isBound = lacksAllClients(work);
  if (scope.environment !== 'production' || isBound) {
    const caller = isBound ? 'A token bound to one client' : `A token of ${scope.environment}`;
    throw new Refusal('outside-reach', `${caller} cannot create an application in ${environment}.`);
  }
  const store = await work.store.switchScope({ ...scope, environment });
  const targetWork = { ...work, store };
  await ensureEnvironment(targetWork);
  await createDefaultClasses(targetWork);
  const result = await task(targetWork);
  await work.store.switchScope(scope);
  return result;
}

export interface KeyInput extends ChangeOf<typeof key> {
  readonly publicKeyPem?: string;
  readonly jwk?: unknown;
}

function readPublicKey({ publicKeyPem, jwk }: KeyInput): { kind: Key['kind']; publicJwk: PublicJwk } {
  if (publicKeyPem !== undefined && jwk !== undefined) {
    throw new Refusal('invalid-public-key', 'Send either a PEM (flow A) or a JWK (flow B), not both.');
  }
  if (publicKeyPem !== undefined) return { kind: 'rsa-key', publicJwk: readRsaPublicKey(publicKeyPem) };
  return { kind: 'ec-key', publicJwk: readEcPublicKey(jwk) };
}

export async function registerKey(work: Work, input: KeyInput): Promise<Key> {
  const { publicKeyPem: _pem, jwk: _jwk, ...fields } = input;
  const keyFields = readPublicKey(input);
  const create = async (): Promise<AnyChange> => ({ ...(await commonFields(work, fields)), ...keyFields });
  return createRecord(work, { ...keyRules, create }, { ...fields, ...keyFields });
}
