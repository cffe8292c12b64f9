// Verifies the signed assertions of flows A and B. Does not know which keys are registered, nor which jti were used.

import { ImportedKeyCache } from './imported-key-cache.ts';
import {
  isShortText,
  isNumericDate,
  isSignedBy,
  shortTextLengthMax,
  readCompactJws,
  type CompactJws,
} from './compact-jws.ts';
import type { PublicJwk } from './public-key.ts';

export type AssertionFlow = 'rsa' | 'ec';

/** Closed. `unknown-kid` and `replayed` are for the caller, who alone knows the keys and the used jti. */
export type AssertionFaultReason =
  | 'malformed'
  | 'too-large'
  | 'alg'
  | 'typ'
  | 'key-in-header'
  | 'extension'
  | 'unknown-kid'
  | 'signature'
  | 'issuer'
  | 'subject'
  | 'audience'
  | 'expired'
  | 'expiry-too-far'
  | 'issued-at'
  | 'not-yet'
  | 'jti'
  | 'replayed';

export class AssertionFault extends Error {
  readonly reason: AssertionFaultReason;

  constructor(reason: AssertionFaultReason, message: string) {
    super(message);
    this.name = 'AssertionFault';
    this.reason = reason;
  }
}

const assertionSizeMax = 8 * 1024;
const assertionLifetimeSecondsMax = 300;
export const clockSkewSecondsMax = 30;

const flows = { rsa: { alg: 'RS256', kty: 'RSA' }, ec: { alg: 'ES256', kty: 'EC' } } as const;

/** What an assertion says of its signer, to look up the key by. Not to be believed. */
export function peekAssertion(
  text: string,
  { flow }: { readonly flow: AssertionFlow },
): { kid: string; issuer: string } {
  const { header, claims } = readAssertion(text, flow);
  return { kid: header['kid'] as string, issuer: claims['iss'] as string };
}

export interface AssertionCheck {
  readonly flow: AssertionFlow;
  /** The key registered under the assertion's kid. */
  readonly key: PublicJwk;
  readonly audience: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

export interface VerifiedAssertion {
  readonly issuer: string;
  readonly subject: string;
  /** The jti; to be refused if seen before, and remembered until expiresAt. */
  readonly tokenId: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

export async function verifyAssertion(text: string, check: AssertionCheck): Promise<VerifiedAssertion> {
  const { claims } = readAssertion(text, check.flow);
  const { alg, kty } = flows[check.flow];
  if (check.key.kty !== kty) throw unknownKidFault();
  if (!(await isSignedBy(text, { key: await importedKeyCache.get(check.key), alg }))) throw notSignedFault('signature');
  checkAudience(claims['aud'], check.audience);
  const expiresAt = checkTimes(claims, Math.floor(check.now / 1000));
  const { iss, sub, jti } = claims;
  if (!isShortText(sub)) throw new AssertionFault('subject', nameRequirement('sub'));
  return { issuer: iss as string, subject: sub, tokenId: jti as string, expiresAt };
}

const importedKeyCache = new ImportedKeyCache({ sizeMax: 1000 });

/** For a kid without a key: in the words of a wrong signature, so that neither tells which kids exist. */
export function unknownKidFault(): AssertionFault {
  return notSignedFault('unknown-kid');
}

function notSignedFault(reason: 'signature' | 'unknown-kid'): AssertionFault {
  return new AssertionFault(reason, 'The assertion is not signed by the key registered under its kid.');
}

function readAssertion(text: string, flow: AssertionFlow): CompactJws {
  const jws = readCompactJws(text, {
    sizeMax: assertionSizeMax,
    fault: (reason, message) => new AssertionFault(reason, message),
  });
  checkHeader(jws.header, flow);
  if (!isShortText(jws.claims['iss'])) throw new AssertionFault('issuer', nameRequirement('iss'));
  if (!isShortText(jws.claims['jti'])) throw new AssertionFault('jti', nameRequirement('jti'));
  return jws;
}

function checkHeader(header: CompactJws['header'], flow: AssertionFlow): void {
  const { alg, kid, typ } = header;
  const keyMember = ['jwk', 'jku', 'x5c', 'x5u'].find((name) => Object.hasOwn(header, name));
  if (keyMember !== undefined) {
    throw new AssertionFault('key-in-header', `The header must not bring a key (${keyMember}); it names one by kid.`);
  }
  const extension = ['crit', 'b64'].find((name) => Object.hasOwn(header, name));
  if (extension !== undefined) throw new AssertionFault('extension', `The header must not carry ${extension}.`);
  if (alg !== flows[flow].alg) throw new AssertionFault('alg', `The header's alg must be ${flows[flow].alg} here.`);
  if (typ !== undefined && (typeof typ !== 'string' || typ.toUpperCase() !== 'JWT')) {
    throw new AssertionFault('typ', 'The typ of an assertion is JWT, or absent.');
  }
  if (!isShortText(kid)) throw new AssertionFault('malformed', nameRequirement('kid'));
}

function checkAudience(aud: unknown, audience: string): void {
  const [only, ...others] = Array.isArray(aud) ? (aud as unknown[]) : [aud];
  if (only !== audience || others.length > 0) {
    throw new AssertionFault('audience', `The claim aud must be exactly "${audience}".`);
  }
}

/** The expiry in epoch milliseconds. All comparisons are in whole seconds, the grain of the claims themselves. */
function checkTimes({ exp, iat, nbf }: CompactJws['claims'], nowSeconds: number): number {
  if (!isNumericDate(exp)) throw new AssertionFault('malformed', timeRequirement('exp'));
  if (!isNumericDate(iat)) throw new AssertionFault('malformed', timeRequirement('iat'));
  if (nbf !== undefined && !isNumericDate(nbf)) throw new AssertionFault('malformed', timeRequirement('nbf'));
  const clock = `the server's clock shows ${nowSeconds}`;
  if (exp <= nowSeconds) throw new AssertionFault('expired', `The assertion expired at ${exp}; ${clock}.`);
  if (exp - nowSeconds > assertionLifetimeSecondsMax) {
    const limit = `at most ${assertionLifetimeSecondsMax} seconds ahead`;
    throw new AssertionFault('expiry-too-far', `The claim exp must be ${limit}; ${clock}.`);
  }
  if (Math.abs(iat - nowSeconds) > clockSkewSecondsMax) {
    throw new AssertionFault('issued-at', `The claim iat must be within ${clockSkewSecondsMax} seconds; ${clock}.`);
  }
  if (nbf !== undefined && nbf - nowSeconds > clockSkewSecondsMax) {
    throw new AssertionFault('not-yet', `The claim nbf lies in the future; ${clock}.`);
  }
  return exp * 1000;
}

function nameRequirement(member: string): string {
  return `The member ${member} must be a text of 1 to ${shortTextLengthMax} characters.`;
}

function timeRequirement(claim: string): string {
  return `The claim ${claim} must be a whole number of seconds since 1970.`;
}
