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

test('another passphrase, another context and a changed text do not open it', async () => {
  const sealed = await sealWithPassphrase('secret', 'passphrase', 'a');
  const changed = sealed.replace(/.{4}$/, (end) => (end === 'AAAA' ? 'BBBB' : 'AAAA'));
  for (const [text, passphrase, context] of [
    [sealed, 'Passphrase', 'a'],
    [sealed, 'passphrase', 'b'],
    [changed, 'passphrase', 'a'],
    ['scrypt-aes256gcm-1:AAAA', 'passphrase', 'a'],
    [sealed.replace('-1:', '-2:'), 'passphrase', 'a'],
  ] as const)
    await expect(openWithPassphrase(text, passphrase, context)).rejects.toThrow(SealBroken);
});
