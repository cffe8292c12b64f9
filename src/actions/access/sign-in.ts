// Signs people in with an identity provider: begins with a sealed state for the browser, and completes with a session.

import { hash, timingSafeEqual } from 'node:crypto';
import type { IdentityProviders, SignInState } from '../../gateways/identity-providers.ts';
import { defined } from '../../kit/assert.ts';
import { minuteMs } from '../../kit/clock.ts';
import type { ProviderKey, VerifiedIdentity } from '../../model/people/identity.ts';
import type { PersonAccess } from '../../model/access/person-access.ts';
import { allClients } from '../../model/access/scope.ts';
import { SealBroken } from '../../signing/keyring.ts';
import type { IdentityKey } from '../../store/people/identities.ts';
import type { AppContext } from '../core/context.ts';
import { acceptInvite } from '../people/invite-acceptance.ts';
import type { InviteRejection } from '../people/invite-result.ts';
import { openSession, type OpenedSession } from './session.ts';

/** The time from beginning to completing a sign-in, and again for choosing a workspace. */
export const signInTimeoutMs = 10 * minuteMs;

export interface SignInRequest {
  readonly provider: ProviderKey;
  /** The secret of the invite to accept; undefined for a person who has joined before. */
  readonly invite: string | undefined;
}

type Sealed<T> = T & { readonly at: number };
type SealPurpose = 'sign-in-departure' | 'sign-in-choice';

function seal({ keyring, clock }: AppContext, purpose: SealPurpose, content: object): string {
  return keyring.seal(purpose, JSON.stringify({ ...content, at: clock.now() }), '').toString('base64url');
}

/** Returns undefined if it was not sealed here, or too long ago. */
function open<T>({ keyring, clock }: AppContext, purpose: SealPurpose, sealed: string): T | undefined {
  try {
    const bytes = keyring.open(purpose, Buffer.from(sealed, 'base64url'), '');
    const content: Sealed<T> = JSON.parse(bytes.toString('utf8'));
    return clock.now() - content.at < signInTimeoutMs ? content : undefined;
  } catch (error) {
    if (error instanceof SealBroken) return undefined;
    throw error;
  }
}

export function callbackAddress({ addresses }: Pick<AppContext, 'addresses'>): string {
  return `${addresses.baseUrl}/sign-in/callback`;
}

/** Returns the provider's address to send the browser to, and the sealed state that it must bring back. */
export async function beginSignIn(
  context: AppContext,
  providers: IdentityProviders,
  { provider, invite, as }: SignInRequest & { readonly as: 'anyone' | 'another' },
): Promise<{ readonly address: string; readonly sealed: string }> {
  const { address, signInState: departure } = await providers.beginSignIn(provider, {
    redirectUri: callbackAddress(context),
    as,
  });
  return { address, sealed: seal(context, 'sign-in-departure', { provider, invite, departure }) };
}

/** Opens the sealed state; undefined if another browser began the sign-in, or it took too long. */
export function openBegunSignIn(
  context: AppContext,
  sealed: string,
  state: string,
): (SignInRequest & BegunSignIn) | undefined {
  const found = open<SignInRequest & BegunSignIn>(context, 'sign-in-departure', sealed);
  return found !== undefined && equalsInConstantTime(found.departure.state, state) ? found : undefined;
}

interface BegunSignIn {
  readonly departure: SignInState;
}

function equalsInConstantTime(one: string, other: string): boolean {
  return timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));
}

export type SignInOutcome =
  | { readonly kind: 'signed-in'; readonly session: OpenedSession }
  /** The person has access to several workspaces and must choose one. */
  | { readonly kind: 'choice'; readonly choices: readonly WorkspaceChoice[]; readonly sealed: string }
  /** No person is linked to this identity, or they have no access any more. */
  | { readonly kind: 'stranger'; readonly identity: VerifiedIdentity }
  | { readonly kind: 'wrong'; readonly identity: VerifiedIdentity; readonly reason: InviteRejection['reason'] };

/** A workspace that a person has access to. */
export interface WorkspaceChoice {
  readonly access: PersonAccess;
  readonly workspaceName: string;
  /** False while its operator has suspended it: nobody can enter. */
  readonly isActive: boolean;
}

/** Accepts the invite that the sign-in began with, or finds the person by their identity. */
export async function completeSignIn(
  context: AppContext,
  providers: IdentityProviders,
  { begun, address, userAgent }: { begun: SignInRequest & BegunSignIn; address: URL; userAgent: string | undefined },
): Promise<SignInOutcome> {
  const identity = await providers.completeSignIn(begun.provider, address, begun.departure);
  if (begun.invite === undefined) return signInKnownIdentity(context, identity, userAgent);
  const accepted = await acceptInvite(context, begun.invite, identity);
  if (accepted.outcome === 'wrong') return { kind: 'wrong', identity, reason: accepted.reason };
  return { kind: 'signed-in', session: await openSession(context, accepted, { userAgent }) };
}

async function signInKnownIdentity(
  context: AppContext,
  identity: VerifiedIdentity,
  userAgent: string | undefined,
): Promise<SignInOutcome> {
  const { issuer, subject } = identity;
  const accesses = await context.stores.preAuth.listAccessByIdentity(identity);
  const [only] = accesses;
  if (only === undefined) return { kind: 'stranger', identity };
  if (accesses.length === 1)
    return {
      kind: 'signed-in',
      session: await openSession(context, only, { identity: { issuer, subject }, userAgent }),
    };
  const choices = await listChoices(context, accesses);
  return { kind: 'choice', choices, sealed: seal(context, 'sign-in-choice', { issuer, subject }) };
}

async function listChoices(
  { stores }: AppContext,
  accesses: readonly PersonAccess[],
): Promise<readonly WorkspaceChoice[]> {
  const scopes = accesses.map(({ workspaceId, environment }) => ({
    workspaceId,
    environment,
    visibleClients: allClients,
    credentialId: null,
  }));
  const workspaces = await stores.listNamedWorkspaces(scopes);
  return accesses.map((access, index) => {
    const { name, isActive } = defined(workspaces[index], 'every workspace has a name');
    return { access, workspaceName: name, isActive };
  });
}

/** Opens a session in the chosen workspace; undefined if the choice has expired or the person has no access there any more. */
export async function signInToChoice(
  context: AppContext,
  { sealed, choice, userAgent }: { sealed: string; choice: string; userAgent: string | undefined },
): Promise<OpenedSession | undefined> {
  const identity = open<IdentityKey>(context, 'sign-in-choice', sealed);
  if (identity === undefined) return undefined;
  const { issuer, subject } = identity;
  const accesses = await context.stores.preAuth.listAccessByIdentity(identity);
  const chosen = accesses.find((access) => choiceKey(access) === choice);
  return chosen && openSession(context, chosen, { identity: { issuer, subject }, userAgent });
}

export function choiceKey({ workspaceId, environment }: PersonAccess): string {
  return `${workspaceId}/${environment}`;
}
