import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keptPurposes, KeyOrderFault, Keyring, SealBroken, sealedBy } from './keyring.ts';

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

describe('two keys', () => {
  const [oldKey, newKey] = [Keyring.generate(), Keyring.generate()] as const;
  const old = Keyring.fromText(oldKey);
  const accepting = Keyring.fromTexts({ present: oldKey, next: newKey });
  const changing = Keyring.fromTexts({ present: newKey, previous: oldKey });
  /** With the new key alone, once it has learnt what the database keeps of the old one. */
  const after = Keyring.fromText(newKey);
  after.learn(changing.replaced);

  test('open what either of them has sealed, and the present one seals', () => {
    for (const sealer of [old, accepting, changing])
      for (const opener of [accepting, changing])
        expect(opener.open('p', sealer.seal('p', 'text', 'c'), 'c').toString()).toBe('text');
    expect(() => old.open('p', changing.seal('p', 'text', 'c'), 'c')).toThrow(SealBroken);
    expect(() => after.open('p', accepting.seal('p', 'text', 'c'), 'c')).toThrow(SealBroken);
    expect(after.open('p', changing.seal('p', 'text', 'c'), 'c').toString()).toBe('text');
  });

  test('a value names the key that sealed it, unless that is the first one: nodes of earlier releases open those', () => {
    expect([old, accepting].map((one) => one.seal('p', 'text', 'c')[0])).toEqual([1, 1]);
    const sealed = [changing, after].map((one) => one.seal('p', 'text', 'c'));
    expect(sealed.map(sealedBy)).toEqual([after.fingerprint(), after.fingerprint()]);
    const renamed = Buffer.concat([Buffer.of(2), Buffer.from(old.fingerprint(), 'hex'), sealed[0]!.subarray(9)]);
    expect(() => changing.open('p', renamed, 'c')).toThrow(SealBroken);
    expect(() => changing.open('p', Buffer.concat([Buffer.of(1), sealed[0]!.subarray(9)]), 'd')).toThrow(SealBroken);
  });

  test('a digest that is carried over is the one that the new key makes, alone as well', () => {
    const stored = old.digest('person-address', 'a@b.example');
    expect(stored).toEqual(old.mac('person-address', 'a@b.example'));
    const carried = changing.carryOver('person-address', stored)!;
    expect(carried).toEqual(changing.digest('person-address', 'a@b.example'));
    expect(carried).toEqual(after.digest('person-address', 'a@b.example'));
    expect(changing.carryOver('person-address', carried)).toEqual(carried);
    expect(Keyring.fromText(newKey).digest('person-address', 'a@b.example')).not.toEqual(carried);
    expect(accepting.digests('person-address', 'a@b.example')).toEqual([stored, carried]);
    expect(changing.digests('person-address', 'a@b.example')).toEqual([carried, stored]);
    expect(changing.equivalents('mail-address', old.digest('mail-address', 'x'))).toEqual(
      changing.digests('mail-address', 'x'),
    );
    expect(accepting.carryOver('person-address', carried)).toBeUndefined();
    expect(changing.carryOver('person-address', Buffer.alloc(31))).toBeUndefined();
  });

  test('what is given out for a while is recognised by both, and what lasts is the same whichever key came after', () => {
    expect(accepting.macs('cursor', 'x')).toEqual([old.mac('cursor', 'x'), after.mac('cursor', 'x')]);
    expect(changing.macs('cursor', 'x')).toEqual(accepting.macs('cursor', 'x').toReversed());
    const lasting = [old, accepting, changing, after].map((one) => one.lastingMac('mcp-idempotency-key', 'x'));
    expect(new Set(lasting.map((mac) => mac.toString('hex'))).size).toBe(1);
  });

  test('what is kept of a key that was replaced neither opens nor seals, and is not the key', () => {
    const [kept] = changing.replaced;
    expect([kept!.fingerprint, kept!.replacedBy]).toEqual([old.fingerprint(), after.fingerprint()]);
    expect([...kept!.subkeys.keys()]).toEqual([...keptPurposes]);
    for (const subkey of kept!.subkeys.values()) expect(Buffer.from(subkey).toString('hex')).not.toBe(oldKey);
    expect(after.replaced).toEqual(changing.replaced);
  });

  test('the keys that a database has had come in the order in which they were replaced', () => {
    const thirdKey = Keyring.generate();
    const third = Keyring.fromTexts({ present: thirdKey, previous: newKey });
    third.learn(changing.replaced);
    const alone = Keyring.fromText(thirdKey);
    alone.learn(third.replaced.toReversed());
    expect(alone.history.map(({ fingerprint }) => fingerprint)).toEqual([
      alone.fingerprint(),
      after.fingerprint(),
      old.fingerprint(),
    ]);
    expect(alone.digest('client-secret', 'x')).toEqual(third.digest('client-secret', 'x'));
    expect(alone.carryOver('client-secret', old.digest('client-secret', 'x'))).toEqual(
      alone.digest('client-secret', 'x'),
    );
    expect(['present', 'replaced', 'replaced', 'unknown']).toEqual(
      [alone.fingerprint(), '', after.fingerprint(), '00'.repeat(8)].map((name) => alone.useOf(name)),
    );
    for (const texts of [{ present: oldKey }, { present: oldKey, previous: newKey }, { present: newKey }])
      expect(() => Keyring.fromTexts(texts).learn(third.replaced)).toThrow(KeyOrderFault);
    expect(() => Keyring.fromTexts({ present: newKey, next: thirdKey }).learn(third.replaced)).not.toThrow();
  });
});
