// What an operator names to encrypt to and to open with: a mistake is named by its line, and no secret is shown.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../config.ts';
import { readIdentities, readRecipients } from './age-options.ts';

async function identitiesIn(text: string): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-identity-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'key'), text);
  return readIdentities('key', { INIT_CWD: folder });
}

test('identities are lines; comments and empty lines are none', async () => {
  const [one, two] = [await generateIdentity(), await generateIdentity()];
  expect(await identitiesIn(`# created: today\n# public key: age1…\n${one}\r\n\n  ${two}\n`)).toEqual([one, two]);
  expect(await readIdentities(undefined, {})).toEqual([]);
});

test('what is no identity is refused, and a secret is not shown', async () => {
  const identity = await generateIdentity();
  const broken = identity.slice(0, -1);
  await expect(identitiesIn(`# key\n${broken}\n`)).rejects.toThrow(/^key, line 2: it is not an identity of age/);
  await expect(identitiesIn(broken)).rejects.not.toThrow(broken);
  await expect(identitiesIn('# nothing\n')).rejects.toThrow('key holds no identity.');
  await expect(identitiesIn('age-encryption.org/')).rejects.toThrow('key is itself encrypted.');
  await expect(readIdentities('/nowhere/key', {})).rejects.toThrow('The identity cannot be read');
});

test('recipients of the command take the place of those of the settings, which are checked at start', async () => {
  const [one, two] = [
    await identityToRecipient(await generateIdentity()),
    await identityToRecipient(await generateIdentity()),
  ];
  const { backupRecipients } = readConfig({ BACKUP_RECIPIENTS: ` ${one},${two}\n` });
  expect(backupRecipients).toEqual([one, two]);
  expect(readRecipients(undefined, backupRecipients)).toEqual([one, two]);
  expect(readRecipients([two], backupRecipients)).toEqual([two]);
  expect(() => readRecipients(['age1x'], [])).toThrow('"age1x" is not a recipient');
  expect(() => readConfig({ BACKUP_RECIPIENTS: `${one} nobody` })).toThrow(
    'BACKUP_RECIPIENTS: "nobody" is not a recipient',
  );
});
