// Verifies the signed assertions of flows A and B. The caller looks up the registered key and refuses a jti that was used before.

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

/** `unknown-kid` and `replayed` are for the caller, who has the registered keys and the used jti. */
type AssertionFaultReason =
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

/** In characters. */
const assertionSizeMax = 8 * 1024;
/** How far ahead an assertion may expire. */
const assertionLifetimeSecondsMax = 300;
/** How far the clock of a client may differ. */
export const clockSkewSecondsMax = 30;

const flows = { rsa: { alg: 'RS256', kty: 'RSA' }, ec: { alg: 'ES256', kty: 'EC' } } as const;

/** Reads which key to verify an assertion with. Nothing in it is trusted before the signature is checked. */
export function peekAssertion(
  text: string,
  { flow }: { readonly flow: AssertionFlow },
): { kid: string; issuer: string } {
  const { kid, issuer } = readAssertion(text, flow);
  return { kid, issuer };
}

interface AssertionCheck {
  readonly flow: AssertionFlow;
  /** The key registered under the assertion's kid. */
  readonly key: PublicJwk;
  readonly audience: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

interface VerifiedAssertion {
  readonly issuer: string;
  readonly subject: string;
  /** The jti. The caller must refuse it if it was used before, and store it until `expiresAt`. */
  readonly tokenId: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

export async function verifyAssertion(text: string, check: AssertionCheck): Promise<VerifiedAssertion> {
  const { issuer, tokenId, claims } = readAssertion(text, check.flow);
  const { alg, kty } = flows[check.flow];
  if (check.key.kty !== kty) throw unknownKidFault();
  if (!(await isSignedBy(text, { key: await importedKeyCache.get(check.key), alg }))) throw notSignedFault('signature');
  checkAudience(claims['aud'], check.audience);
  const expiresAt = checkTimes(claims, Math.floor(check.now / 1000));
  const { sub } = claims;
  if (!isShortText(sub)) throw new AssertionFault('subject', nameRequirement('sub'));
  return { issuer, subject: sub, tokenId, expiresAt };
}

const importedKeyCache = new ImportedKeyCache({ sizeMax: 1000 });

/** For a kid without a key. Has the text of a wrong signature, so that nobody can find out which kids exist. */
export function unknownKidFault(): AssertionFault {
  return notSignedFault('unknown-kid');
}

function notSignedFault(reason: 'signature' | 'unknown-kid'): AssertionFault {
  return new AssertionFault(reason, 'The assertion is not signed by the key registered under its kid.');
}

interface ParsedAssertion {
  readonly kid: string;
  readonly issuer: string;
  readonly tokenId: string;
  readonly claims: CompactJws['claims'];
}

function readAssertion(text: string, flow: AssertionFlow): ParsedAssertion {
  const { header, claims } = readCompactJws(text, {
    sizeMax: assertionSizeMax,
    fault: (reason, message) => new AssertionFault(reason, message),
  });
  const kid = checkHeader(header, flow);
  const { iss, jti } = claims;
  if (!isShortText(iss)) throw new AssertionFault('issuer', nameRequirement('iss'));
  if (!isShortText(jti)) throw new AssertionFault('jti', nameRequirement('jti'));
  return { kid, issuer: iss, tokenId: jti, claims };
}

/** Returns the kid. */
function checkHeader(header: CompactJws['header'], flow: AssertionFlow): string {
  const { alg, kid, typ } = header;
  const keyMember = ['jwk', 'jku', 'x5c', 'x5u'].find((name) => Object.hasOwn(header, name));
  if (keyMember !== undefined) {
    throw new AssertionFault(
      'key-in-header',
      `The header must not contain a key (${keyMember}). Name a registered key by kid.`,
    );
  }
  const extension = ['crit', 'b64'].find((name) => Object.hasOwn(header, name));
  if (extension !== undefined) throw new AssertionFault('extension', `The header must not contain ${extension}.`);
  if (alg !== flows[flow].alg) throw new AssertionFault('alg', `The header's alg must be ${flows[flow].alg} here.`);
  if (typ !== undefined && (typeof typ !== 'string' || typ.toUpperCase() !== 'JWT')) {
    throw new AssertionFault('typ', "The header's typ must be JWT or absent.");
  }
  if (!isShortText(kid)) throw new AssertionFault('malformed', nameRequirement('kid'));
  return kid;
}

function checkAudience(aud: unknown, audience: string): void {
  const [only, ...others]: unknown[] = Array.isArray(aud) ? aud : [aud];
  if (only !== audience || others.length > 0) {
    throw new AssertionFault('audience', `The claim aud must be exactly "${audience}".`);
  }
}

/** Returns the expiry in epoch milliseconds. Compares whole seconds, the unit of the claims. */
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
    throw new AssertionFault('not-yet', `The claim nbf is in the future; ${clock}.`);
  }
  return exp * 1000;
}

function nameRequirement(member: string): string {
  return `The member ${member} must be a text of 1 to ${shortTextLengthMax} characters.`;
}

function timeRequirement(claim: string): string {
  return `The claim ${claim} must be a whole number of seconds since 1970.`;
}
