// Parses a compact JWS strictly and checks its signature.

import { compactVerify, errors, type CryptoKey } from 'jose';

export type JwsObject = Readonly<Record<string, unknown>>;

/** The parsed content. Nothing in it is trusted before the signature is checked. */
export interface CompactJws {
  readonly header: JwsObject;
  readonly claims: JwsObject;
}

interface CompactJwsOptions {
  readonly sizeMax: number;
  /** Creates the error to throw, of the caller's own class. */
  readonly fault: (reason: 'malformed' | 'too-large', message: string) => Error;
}

export function readCompactJws(text: string, { sizeMax, fault }: CompactJwsOptions): CompactJws {
  if (typeof text !== 'string') throw fault('malformed', 'A token must be a text.');
  if (text.length > sizeMax) throw fault('too-large', `A token may have at most ${sizeMax} characters.`);
  const parts = text.split('.');
  if (parts.length !== 3) throw fault('malformed', 'A token must have three parts, separated by dots.');
  if (!parts.every(isBase64url)) {
    throw fault('malformed', 'Each part of a token must be base64url without padding.');
  }
  const [header = '', claims = ''] = parts;
  return { header: readPart(header, fault), claims: readPart(claims, fault) };
}

/** Accepts only the canonical spelling, so that a token cannot be written in two ways. */
export function isBase64url(text: string): boolean {
  return /^[\w-]+$/.test(text) && Buffer.from(text, 'base64url').toString('base64url') === text;
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function readPart(part: string, fault: CompactJwsOptions['fault']): JwsObject {
  let value: unknown;
  let json: string;
  try {
    json = strictUtf8.decode(Buffer.from(part, 'base64url'));
    value = JSON.parse(json);
  } catch {
    throw fault('malformed', 'The header and the claims of a token must be JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw fault('malformed', 'The header and the claims of a token must be JSON objects.');
  }
  if (hasDuplicateMember(json)) throw fault('malformed', 'A member of the header or the claims appears twice.');
  return value as JwsObject;
}

// Parsers differ on which of two equal names counts, so duplicates are refused. The text is valid JSON here.
function hasDuplicateMember(json: string): boolean {
  const names = new Set<unknown>();
  let depth = 0;
  for (const [token, colon] of json.matchAll(/"(?:[^"\\]|\\.)*(?:"(\s*:)?|\\?$)|[{}[\]]/gs)) {
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

interface SignatureCheck {
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

/** Whether it is a short text that can be stored and logged: no control characters, no lone surrogates. */
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

/** RFC 7519's NumericDate in whole seconds, up to the year 9999. */
export function isNumericDate(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= numericDateMax;
}

const numericDateMax = 253_402_300_799;
