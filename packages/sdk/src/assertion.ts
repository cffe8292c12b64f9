// Signs assertions, which are exchanged for tokens: with a P-256 key (ES256) or an RSA key (RS256), by Web Crypto alone.

export interface SigningKey {
  /** The private key: PKCS#8 as PEM, or a key of Web Crypto that may sign. */
  readonly privateKey: string | CryptoKey;
  /** As the service answered when the public key was registered. */
  readonly kid: string;
  /** `iss` of that answer: the workspace. */
  readonly issuer: string;
  /** With an RSA key, the id of a user for whom tokens act; the workspace unless told otherwise. */
  readonly subject?: string;
}

export interface Signer {
  readonly alg: 'ES256' | 'RS256';
  /** A new assertion each time: the service takes each of them once. */
  sign(audience: string, nowMs: number): Promise<string>;
}

const ecdsa = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const rsa = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
const lifetimeSeconds = 60;

export async function openSigner({ privateKey, kid, issuer, subject = issuer }: SigningKey): Promise<Signer> {
  const key = typeof privateKey === 'string' ? await importPem(privateKey) : privateKey;
  const algorithm = [ecdsa, rsa].find(({ name }) => name === key.algorithm.name);
  if (algorithm === undefined) throw unusable();
  const alg = algorithm === ecdsa ? 'ES256' : 'RS256';
  return {
    alg,
    async sign(audience, nowMs) {
      const iat = Math.floor(nowMs / 1000);
      const claims = {
        iss: issuer,
        sub: subject,
        aud: audience,
        iat,
        exp: iat + lifetimeSeconds,
        jti: crypto.randomUUID(),
      };
      const signed = `${part({ alg, kid, typ: 'JWT' })}.${part(claims)}`;
      const signature = await crypto.subtle.sign(algorithm, key, new TextEncoder().encode(signed));
      return `${signed}.${base64Url(new Uint8Array(signature))}`;
    },
  };
}

function unusable(): TypeError {
  return new TypeError('privateKey must be a P-256 or RSA private key: PKCS#8 as PEM, or a key of Web Crypto.');
}

/** Tries both kinds, since a PEM does not say which it is without being parsed. */
async function importPem(pem: string): Promise<CryptoKey> {
  const [, content] = /-----BEGIN PRIVATE KEY-----([\sA-Za-z0-9+/=]+)-----END PRIVATE KEY-----/.exec(pem) ?? [];
  if (content === undefined) throw unusable();
  const bytes = Uint8Array.from(atob(content.replaceAll(/\s/g, '')), (character) => character.charCodeAt(0));
  const open = (algorithm: typeof ecdsa | typeof rsa): Promise<CryptoKey> =>
    crypto.subtle.importKey('pkcs8', bytes, algorithm, false, ['sign']);
  return open(ecdsa)
    .catch(() => open(rsa))
    .catch(() => {
      throw unusable();
    });
}

const part = (value: object): string => base64Url(new TextEncoder().encode(JSON.stringify(value)));

function base64Url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/={1,2}$/, '');
}
