// Tests that what an earlier release has stored or given out still means the same. These values are never made anew: if one of them
// no longer fits, secrets, cursors and exports of running workspaces do not either.

import { expect, test } from 'vitest';
import { dayMs } from '../kit/clock.ts';
import { matchesClientSecret } from './client-secret.ts';
import { readCursor } from './cursor.ts';
import { Keyring } from './keyring.ts';
import { openWithPassphrase } from './passphrase-seal.ts';

const firstKey = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f';
const keyring = Keyring.fromText(firstKey);
const laterKey = '202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f';
const sealedLater = '0228b9a5a16885b19353d77c12b858baec4e2f58cbab9ca8b8679d548144a62bf6f0d1f0b62bc89698288010';
const digestLater = '0228b9a5a16885b193487f196f5bb902d84f3f52d52c0af20f831c7b4eceeba1fcc6b0ffd4233bde11';

test('a key is recognised by its fingerprint, and codes what is looked up by value as it did', () => {
  expect(keyring.fingerprint()).toBe('f219ec89af80aff4');
  expect(keyring.mac('email', 'a@b.example').toString('hex')).toBe(
    '0f6f31da645f73562acf432037a0946c4c2dfd00fc0e544557fb842f1e21fda5',
  );
});

test('a client secret still matches its hash', () => {
  const hash = Buffer.from('9bbb159a7ddb09f709598ee9ec7d2377f78911b5bf10c3df29efa6f02bee0613', 'hex');
  expect(matchesClientSecret(keyring, { salt: 'app_1', secret: 'hfs_secret', hash })).toBe(true);
});

test('a sealed value still opens', () => {
  const sealed = Buffer.from('0151bc626b80544381cc400440d3e55996176236d3538cc97ef3dcfc100cce8b4a155bae', 'hex');
  expect(keyring.open('webhook', sealed, 'ws_1').toString()).toBe('Zürich');
});

test('a sealed value of a later key still opens', () => {
  const later = Keyring.fromTexts({ present: laterKey, previous: firstKey });
  expect(later.open('webhook', Buffer.from(sealedLater, 'hex'), 'ws_1').toString()).toBe('Zürich');
});

test('a digest still goes through all keys that the database has had', () => {
  const later = Keyring.fromTexts({ present: laterKey, previous: firstKey });
  expect(later.digest('client-secret', 'a secret').toString('hex')).toBe(digestLater);
});

test('a cursor still continues its list', () => {
  const text = 'AQGcprHcADIwMjYtMDItMjh8dHhfOS6a6I2OiMvp7IsTC49Lrmg';
  const check = { listKey: 'ws_1/production/listTransactions', now: Date.UTC(2026, 2, 1), lifetimeMs: dayMs };
  expect(readCursor(keyring, text, check)).toBe('2026-02-28|tx_9');
});

test('a passphrase still opens what it has sealed', async () => {
  const sealed = 'scrypt-aes256gcm-1:ttN9hxnMsoaaYhAQAtf262Yc1kN/6xm1+G/n6Gk2rJ46kEEmz/+ID04iWXVHPzDteNA=';
  expect(await openWithPassphrase(sealed, 'café au lait', 'export')).toBe('secret');
});
