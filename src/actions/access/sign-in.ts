// Signing in with an identity provider: off to it with what must be remembered sealed, and back from it to a session. Knows no cookie
// and no page.

import { hash, timingSafeEqual } from 'node:crypto';
import type { IdentityProviders, Departure } from '../../gateways/identity-providers.ts';
import { minuteMs } from '../../kit/clock.ts';
import type { ProviderKey, VerifiedIdentity } from '../../model/people/identity.ts';
import type { PersonStanding } from '../../model/access/person-access.ts';
import { everything } from '../../model/access/scope.ts';
import { SealBroken } from '../../signing/keyring.ts';
import { listStandingsOf, type IdentityKey } from '../../store/people/identities.ts';
import { listWorkspaceNames } from '../../store/access/workspaces.ts';
import type { House } from '../core/context.ts';
import { acceptInvite, type Wrong } from '../people/invite.ts';
import { openSession, type OpenedSession } from './session.ts';

/** From setting out for a provider to being back, and as long again to choose. */
export const signInMs = 10 * minuteMs;

export interface SigningIn {
  readonly provider: ProviderKey;
  /** The secret of the invite that is to be accepted; undefined for somebody who has been here before. */
  readonly invite: string | undefined;
}

type Sealed<Text> = Text & { readonly at: number };
type SealPurpose = 'sign-in-departure' | 'sign-in-choice';

function seal({ keyring, clock }: House, purpose: SealPurpose, text: object): string {
  return keyring.seal(purpose, JSON.stringify({ ...text, at: clock.now() }), '').toString('base64url');
}

/** Undefined where it was not sealed here, or too long ago. */
function open<Text>({ keyring, clock }: House, purpose: SealPurpose, sealed: string): Text | undefined {
  try {
    const bytes = keyring.open(purpose, Buffer.from(sealed, 'base64url'), '');
    const text: Sealed<Text> = JSON.parse(bytes.toString('utf8'));
    return clock.now() - text.at < signInMs ? text : undefined;
  } catch (error) {
    if (error instanceof SealBroken) return undefined;
    throw error;
  }
}

export function callbackAddress({ addresses }: Pick<House, 'addresses'>): string {
  return `${addresses.baseUrl}/sign-in/callback`;
}

/** Where to send them, and what their browser must bring back. */
export async function departToProvider(
  house: House,
  providers: IdentityProviders,
  { provider, invite, as }: SigningIn & { readonly as: 'whoever' | 'another' },
): Promise<{ readonly address: string; readonly sealed: string }> {
  const { address, departure } = await providers.depart(provider, { redirectUri: callbackAddress(house), as });
  return { address, sealed: seal(house, 'sign-in-departure', { provider, invite, departure }) };
}

/** What they set out for, if it was this browser and is not long ago. */
export function openDeparture(house: House, sealed: string, state: string): (SigningIn & Departed) | undefined {
  const found = open<SigningIn & Departed>(house, 'sign-in-departure', sealed);
  return found !== undefined && isSame(found.departure.state, state) ? found : undefined;
}

interface Departed {
  readonly departure: Departure;
}

function isSame(one: string, other: string): boolean {
  return timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));
}

export type Arrival =
  | { readonly kind: 'signed-in'; readonly session: OpenedSession }
  /** Known in several places: one of them is to be chosen. */
  | { readonly kind: 'choice'; readonly places: readonly Place[]; readonly sealed: string }
  /** Nobody is known by this identity, or no client lets them in any more. */
  | { readonly kind: 'stranger'; readonly identity: VerifiedIdentity }
  | { readonly kind: 'wrong'; readonly identity: VerifiedIdentity; readonly reason: Wrong['reason'] };

/** Where somebody is known. */
export interface Place {
  readonly standing: PersonStanding;
  readonly workspaceName: string;
}

/** Who came back: accepts the invite that they set out with, or finds them by their identity alone. */
export async function arriveFromProvider(
  house: House,
  providers: IdentityProviders,
  { signingIn, address }: { signingIn: SigningIn & Departed; address: URL },
): Promise<Arrival> {
  const identity = await providers.arrive(signingIn.provider, address, signingIn.departure);
  if (signingIn.invite === undefined) return signInAgain(house, identity);
  const accepted = await acceptInvite(house, signingIn.invite, identity);
  if (accepted.outcome === 'wrong') return { kind: 'wrong', identity, reason: accepted.reason };
  return { kind: 'signed-in', session: await openSession(house, accepted) };
}

async function signInAgain(house: House, identity: VerifiedIdentity): Promise<Arrival> {
  const { issuer, subject } = identity;
  const standings = await listStandingsOf(house.database, identity);
  const [only] = standings;
  if (only === undefined) return { kind: 'stranger', identity };
  if (standings.length === 1)
    return { kind: 'signed-in', session: await openSession(house, only, { issuer, subject }) };
  const places = await placesOf(house, standings);
  return { kind: 'choice', places, sealed: seal(house, 'sign-in-choice', { issuer, subject }) };
}

async function placesOf({ database }: House, standings: readonly PersonStanding[]): Promise<readonly Place[]> {
  const reaches = standings.map(({ workspaceId, environment }) => ({
    workspaceId,
    environment,
    sight: everything,
    credentialId: null,
  }));
  const names = await listWorkspaceNames(database, reaches);
  return standings.map((standing, index) => ({ standing, workspaceName: names[index]! }));
}

/** A session at one of the places that were shown; undefined where the choice is no longer theirs to make. */
export async function signInAt(
  house: House,
  { sealed, place }: { sealed: string; place: string },
): Promise<OpenedSession | undefined> {
  const identity = open<IdentityKey>(house, 'sign-in-choice', sealed);
  if (identity === undefined) return undefined;
  const { issuer, subject } = identity;
  const standings = await listStandingsOf(house.database, identity);
  const chosen = standings.find((standing) => placeKey(standing) === place);
  return chosen && openSession(house, chosen, { issuer, subject });
}

export function placeKey({ workspaceId, environment }: PersonStanding): string {
  return `${workspaceId}/${environment}`;
}
