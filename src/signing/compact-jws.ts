// Takes a compact JWS apart and checks its signature. Knows no claim's meaning, no owner of a key and no clock.

import { compactVerify, errors, type CryptoKey } from 'jose';

export type JsonObject = Readonly<Record<string, unknown>>;

/** What a compact JWS says of itself. Nothing of it is to be believed before the signature is checked. */
export interface CompactJws {
  readonly header: JsonObject;
  readonly claims: JsonObject;
}

export interface CompactJwsOptions {
  readonly sizeMax: number;
  /** Makes the error to throw, in the words of the caller's own closed set of reasons. */
  readonly fault: (reason: 'malformed' | 'too-large', message: string) => Error;
}

export function readCompactJws(text: string, { sizeMax, fault }: CompactJwsOptions): CompactJws {
  if (typeof text !== 'string') throw fault('malformed', 'A token is a text.');
  if (text.length > sizeMax) throw fault('too-large', `A token has at most ${sizeMax} characters.`);
  const [header, claims, signature, ...rest] = text.split('.');
  if (header === undefined || claims === undefined || signature === undefined || rest.length > 0) {
    throw fault('malformed', 'A token has three parts, separated by dots.');
  }
  if (![header, claims, signature].every(isBase64url)) {
    throw fault('malformed', 'Each part of a token is base64url without padding.');
  }
  return { header: readPart(header, fault), claims: readPart(claims, fault) };
}

/** One text only for the same bytes, so that a token cannot be respelled. */
export function isBase64url(text: string): boolean {
  return /^[\w-]+$/.test(text) && Buffer.from(text, 'base64url').toString('base64url') === text;
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function readPart(part: string, fault: CompactJwsOptions['fault']): JsonObject {
  let value: unknown;
  let json: string;
  try {
    json = strictUtf8.decode(Buffer.from(part, 'base64url'));
    value = JSON.parse(json);
  } catch {
    throw fault('malformed', 'The header and the claims of a token are JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw fault('malformed', 'The header and the claims of a token are JSON objects.');
  }
  if (hasDuplicateMember(json)) throw fault('malformed', 'A member of the header or the claims is given twice.');
  return value as JsonObject;
}

// Two readers may differ on which of two equal names counts; so neither does. The text is known to be JSON here.
function hasDuplicateMember(json: string): boolean {
  const names = new Set<unknown>();
  let depth = 0;
  for (const [token, colon] of json.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/g)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (colon !== undefined && depth === 1) {
      const name: unknown = JSON.parse(token.slice(0, -colon.length));
      if (names.has(name)) return true;
      names.add(name);
    }
  }
  return false;
}

export interface SignatureCheck {
  readonly key: CryptoKey;
  readonly alg: 'RS256' | 'ES256';
}

export async function isSignedBy(text: string, { key, alg }: SignatureCheck): Promise<boolean> {
  try {
    await compactVerify(text, key, { algorithms: [alg] });
    return true;
  } catch (error) {
    if (error instanceof errors.JOSEError) return false;
    throw error;
  }
}

/** A short text that a database can keep and a log can show: no control characters, no broken surrogates. */
export function isShortText(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length > 0 &&
    value.length <= shortTextLengthMax &&
    value.isWellFormed() &&
    !/\p{Cc}/u.test(value)
  );
}

export const shortTextLengthMax = 255;

/** Whole seconds since 1970, as RFC 7519's NumericDate, of a year with four digits. */
export function isNumericDate(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= numericDateMax;
}

const numericDateMax = 253_402_300_799;
