// Tests that only the passphrase opens what it has sealed.

import { expect, test } from 'vitest';
import { SealBroken } from './keyring.ts';
import { openWithPassphrase, sealWithPassphrase } from './passphrase-seal.ts';

test('a secret opens with its passphrase, however its characters were typed, and is sealed differently each time', async () => {
  const [one, other] = [
    await sealWithPassphrase('secret', 'café au lait', 'a'),
    await sealWithPassphrase('secret', 'x', 'a'),
  ];
  expect(await openWithPassphrase(one, 'cafe\u0301 au lait', 'a')).toBe('secret');
  expect(one).not.toBe(other);
  expect(one).toMatch(/^scrypt-aes256gcm-1:/);
});

/** What remains of it if only so many bytes have been kept. */
function cut(sealed: string, length: number): string {
  const [version, text = ''] = sealed.split(':');
  return `${version}:${Buffer.from(text, 'base64').subarray(0, length).toString('base64')}`;
}

test('an empty secret opens, too', async () => {
  expect(await openWithPassphrase(await sealWithPassphrase('', 'x', 'a'), 'x', 'a')).toBe('');
});

test('another passphrase, another context and a changed text do not open it', async () => {
  const sealed = await sealWithPassphrase('secret', 'passphrase', 'a');
  const changed = sealed.replace(/.{4}$/, (end) => (end === 'AAAA' ? 'BBBB' : 'AAAA'));
  for (const [text, passphrase, context] of [
    [sealed, 'Passphrase', 'a'],
    [sealed, 'passphrase', 'b'],
    [changed, 'passphrase', 'a'],
    ['scrypt-aes256gcm-1', 'passphrase', 'a'],
    ...[3, 13, 27, 43].map((length) => [cut(sealed, length), 'passphrase', 'a'] as const),
    [sealed.replace('-1:', '-2:'), 'passphrase', 'a'],
  ] as const)
    await expect(openWithPassphrase(text, passphrase, context)).rejects.toThrow(SealBroken);
});
