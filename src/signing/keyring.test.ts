import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Keyring, SealBroken } from './keyring.ts';

const bytes = randomBytes(32);
const keyring = Keyring.fromText(bytes.toString('hex'));

describe('an encryption key', () => {
  test.each([
    ['hexadecimal', bytes.toString('hex')],
    ['capital hexadecimal', bytes.toString('hex').toUpperCase()],
    ['base64', bytes.toString('base64')],
    ['base64url', bytes.toString('base64url')],
    ['base64 from a file, with its line end', `${bytes.toString('base64')}\n`],
  ])('is the same in %s', (_, text) => {
    expect(Keyring.fromText(text).fingerprint()).toBe(keyring.fingerprint());
  });

  test.each(['', 'secret', 'g'.repeat(64), '0'.repeat(62), 'A'.repeat(42), `${'A'.repeat(43)}==`, 'Z'.repeat(64)])(
    'cannot be %j: the message says what is expected and does not repeat the value',
    (text) => {
      expect(() => Keyring.fromText(text)).toThrow(/^ENCRYPTION_KEY must be 32 random bytes, as 64 hex/);
    },
  );

  test('can be generated, and is new each time', () => {
    expect(Keyring.fromText(Keyring.generate()).fingerprint()).not.toBe(
      Keyring.fromText(Keyring.generate()).fingerprint(),
    );
  });

  test('has a fingerprint of 16 digits that reveals nothing of it, and is not shown when printed', () => {
    expect(keyring.fingerprint()).toMatch(/^[\da-f]{16}$/);
    expect(bytes.toString('hex')).not.toContain(keyring.fingerprint());
    keyring.mac('a', 'b');
    expect(inspect(keyring, { depth: 9, showHidden: true })).not.toContain(bytes.toString('hex').slice(0, 8));
    expect(JSON.stringify(keyring)).toBe('{}');
  });
});

describe('a sealed value', () => {
  test('opens to the original value', () => {
    const law = (plaintext: Uint8Array, context: string) =>
      keyring.open('p', keyring.seal('p', plaintext, context), context).equals(plaintext);
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), fc.string(), law));
    expect(keyring.open('p', keyring.seal('p', 'Zürich', ''), '').toString()).toBe('Zürich');
  });

  test('opens from a view into a larger buffer', () => {
    const sealed = keyring.seal('p', 'text', 'c');
    const view = new Uint8Array(Buffer.concat([Buffer.of(9, 9), sealed, Buffer.of(9)])).subarray(2, 2 + sealed.length);
    expect(keyring.open('p', view, 'c').toString()).toBe('text');
  });

  test('differs each time', () => {
    expect(keyring.seal('p', 'text', 'c').equals(keyring.seal('p', 'text', 'c'))).toBe(false);
  });

  test('cannot be opened if any bit is changed', () => {
    const sealed = keyring.seal('p', 'text', 'c');
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => keyring.open('p', changed, 'c')).toThrow(SealBroken);
    }
  });

  test('cannot be opened if it is shortened or extended', () => {
    const sealed = keyring.seal('p', 'text', 'c');
    for (let length = 0; length < sealed.length; length += 1) {
      expect(() => keyring.open('p', sealed.subarray(0, length), 'c')).toThrow(SealBroken);
    }
    expect(() => keyring.open('p', Buffer.concat([sealed, Buffer.of(0)]), 'c')).toThrow(SealBroken);
  });

  test('cannot be opened for another context, purpose or key', () => {
    const sealed = keyring.seal('p', 'text', 'c');
    expect(() => keyring.open('p', sealed, 'd')).toThrow(SealBroken);
    expect(() => keyring.open('q', sealed, 'c')).toThrow(SealBroken);
    expect(() => Keyring.fromText(Keyring.generate()).open('p', sealed, 'c')).toThrow(SealBroken);
  });
});

describe('a keyed digest', () => {
  test('has 32 bytes, is the same for text and its bytes, and differs for each purpose and key', () => {
    const mac = keyring.mac('p', 'text');
    expect(mac).toHaveLength(32);
    expect(keyring.mac('p', Buffer.from('text')).equals(mac)).toBe(true);
    expect(keyring.mac('q', 'text').equals(mac)).toBe(false);
    expect(Keyring.fromText(Keyring.generate()).mac('p', 'text').equals(mac)).toBe(false);
  });
});
