import { describe, expect, test } from 'vitest';
import { hashClientSecret, makeClientSecret, matchesClientSecret } from './client-secret.ts';
import { Keyring } from './keyring.ts';

const keyring = Keyring.fromText(Keyring.generate());

describe('a client secret', () => {
  test('is recognisable, has 256 bits, and is new each time', () => {
    const secret = makeClientSecret();
    expect(secret).toMatch(/^hfs_[\w-]{43}$/);
    expect(Buffer.from(secret.slice(4), 'base64url')).toHaveLength(32);
    expect(makeClientSecret()).not.toBe(secret);
  });

  test('matches its own hash and no other', () => {
    const secret = makeClientSecret();
    const hash = hashClientSecret(keyring, { salt: 'app_1', secret });
    expect(matchesClientSecret(keyring, { salt: 'app_1', secret, hash })).toBe(true);
    expect(matchesClientSecret(keyring, { salt: 'app_1', secret: `${secret} `, hash })).toBe(false);
    expect(matchesClientSecret(keyring, { salt: 'app_1', secret: '', hash })).toBe(false);
  });

  test('has another hash for another application and under another key', () => {
    const hash = hashClientSecret(keyring, { salt: 'app_1', secret: 'short' });
    const other = Keyring.fromText(Keyring.generate());
    expect(matchesClientSecret(keyring, { salt: 'app_2', secret: 'short', hash })).toBe(false);
    expect(matchesClientSecret(other, { salt: 'app_1', secret: 'short', hash })).toBe(false);
  });

  test('cannot be confused with a part of its salt', () => {
    const hash = hashClientSecret(keyring, { salt: 'app', secret: '_1secret' });
    expect(matchesClientSecret(keyring, { salt: 'app_1', secret: 'secret', hash })).toBe(false);
  });

  test('does not match a truncated hash', () => {
    const hash = hashClientSecret(keyring, { salt: Buffer.of(1), secret: 'short' });
    expect(matchesClientSecret(keyring, { salt: Buffer.of(1), secret: 'short', hash: hash.subarray(0, 31) })).toBe(
      false,
    );
    expect(matchesClientSecret(keyring, { salt: Buffer.of(1), secret: 'short', hash: Buffer.alloc(0) })).toBe(false);
  });
});
