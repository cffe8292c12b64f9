// A file is encrypted so that the program age opens it, and nothing of it is read once a byte was changed, cut off or added.

import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateHybridIdentity, generateIdentity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { identityFault, openSink, openSource, readWhole, recipientFault } from './age.ts';

const chunk = 64 * 1024;
/** The lines before the content, for one recipient. */
const head = 184;
let folder: string;
let identity: string;
let recipient: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-age-'));
  identity = await generateIdentity();
  recipient = await identityToRecipient(identity);
});

afterAll(() => rm(folder, { recursive: true }));

async function encrypt(path: string, content: Buffer, recipients = [recipient]): Promise<void> {
  const sink = await openSink(await open(path, 'w'), recipients);
  for (let at = 0; at < content.length; at += 50_000) await sink.write(content.subarray(at, at + 50_000));
  await sink.close();
}

async function decrypt(path: string, identities = [identity]): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    return Buffer.concat(await Array.fromAsync(readWhole(await openSource(file, identities))));
  } finally {
    await file.close();
  }
}

/** Bytes of which each place has its own. */
function bytesOf(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; at++) bytes[at] = (at * 31 + (at >> 8)) & 255;
  return bytes;
}

test.each([0, 1, chunk - 1, chunk, chunk + 1, 3 * chunk, 2 ** 21 + 5])(
  '%i bytes are what they were, and are not in the file as they were',
  async (size) => {
    const [path, content] = [join(folder, `size-${size}`), bytesOf(size)];
    await encrypt(path, content);
    expect((await decrypt(path)).equals(content)).toBe(true);
    const stored = await readFile(path);
    expect(size > 16 && stored.includes(content.subarray(0, 32))).toBe(false);
    expect(stored.length).toBe(head + size + 16 * Math.max(1, Math.ceil(size / chunk)));
  },
);

test('each of several recipients opens it with an identity of their own, and nobody else does', async () => {
  const [other, stranger] = [await generateHybridIdentity(), await generateIdentity()];
  const path = join(folder, 'several');
  await encrypt(path, Buffer.from('shared'), [recipient, await identityToRecipient(other)]);
  expect((await decrypt(path)).toString()).toBe('shared');
  expect((await decrypt(path, [stranger, other])).toString()).toBe('shared');
  await expect(decrypt(path, [stranger])).rejects.toThrow(
    'It is encrypted to others: none of the identities opens it.',
  );
});

test('reading goes on from any place, and back', async () => {
  const [path, content] = [join(folder, 'places'), bytesOf(5 * chunk + 3)];
  await encrypt(path, content);
  const file = await open(path, 'r');
  const source = await openSource(file, [identity]);
  for (const [start, size] of [
    [2 * chunk - 5, 10],
    [2 * chunk + 5, 3 * chunk],
    [0, 7],
    [7, 0],
    [5 * chunk, 100],
    [9 * chunk, 1],
  ] as const)
    expect((await source.read(start, size)).equals(content.subarray(start, start + size))).toBe(true);
  await file.close();
});

test('a byte that was changed anywhere, cut off or added is noticed', async () => {
  const path = join(folder, 'damaged');
  await encrypt(path, bytesOf(3 * chunk));
  const whole = await readFile(path);
  const damaged = [
    ...[0, 22, 60, 130, 170, 183, 190, chunk, 2 * chunk, 3 * chunk, whole.length - 1].map((at) => {
      const changed = Buffer.from(whole);
      changed[at] = changed[at]! ^ 1;
      return changed;
    }),
    // At the end of a chunk as well, where what is left is as it was written.
    ...[100, 180, 183, head, head + chunk + 16, head + 2 * (chunk + 16), whole.length - 1].map((size) =>
      whole.subarray(0, size),
    ),
    Buffer.concat([whole, Buffer.from('x')]),
    Buffer.concat([whole, whole.subarray(head)]),
    Buffer.concat([whole, whole.subarray(head, head + chunk + 16)]),
  ];
  for (const [index, bytes] of damaged.entries()) {
    await writeFile(path, bytes);
    await expect(decrypt(path), `damage ${index}`).rejects.toThrow(
      /^It is (damaged|not encrypted|encrypted to others)/,
    );
  }
});

test('a header without an end is not read for ever', async () => {
  const path = join(folder, 'endless');
  await writeFile(path, `age-encryption.org/\n${'-> X25519 a\n'.repeat(20_000)}`);
  await expect(decrypt(path)).rejects.toThrow('It is damaged: its list of recipients has no end.');
});

test('an encrypted file needs an identity, and one that is not encrypted is refused with one', async () => {
  const [path, bare] = [join(folder, 'encrypted'), join(folder, 'bare')];
  await encrypt(path, Buffer.from('wealth'));
  await encrypt(bare, Buffer.from('wealth'), []);
  expect(await readFile(bare, 'utf8')).toBe('wealth');
  expect((await decrypt(bare, [])).toString()).toBe('wealth');
  await expect(decrypt(path, [])).rejects.toThrow('It is encrypted. Name the file with the identity');
  await expect(decrypt(bare)).rejects.toThrow('It is not encrypted, and an identity was named.');
  await writeFile(bare, '-----BEGIN AGE ENCRYPTED FILE-----\n');
  await expect(decrypt(bare)).rejects.toThrow('It is an encrypted file written as text.');
});

test('why the disk took no more is what is said', async () => {
  const file = await open('/dev/full', 'w');
  const sink = await openSink(file, [recipient]);
  const writing = async (): Promise<void> => {
    for (let index = 0; index < 100; index++) await sink.write(bytesOf(chunk));
  };
  await expect(writing()).rejects.toMatchObject({ code: 'ENOSPC' });
  await sink.abandon();
});

/** Made with the program age 1.1.1, for this test alone. */
const foreign = {
  identity: 'AGE-SECRET-KEY-1A4S0VYEK9MKS4N7YWLRH6YZMXP0HTYMMASAD404YVNQ3265S9HESHUPKHR',
  file:
    'YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IFgyNTUxOSBoY0VYYzVpa3pZTFRSU01TSkt6MUxoSDhnY0VsbXRaUXdwd0FPdzdYVVJR' +
    'CnNYbndNZ29mdnVqMXJpWlJ6eUU3a0lSbFZzbkczaFpkY0lTMGIwWElRTWsKLS0tIGNyMnhUcXdZV3FlNVpscDY1NGFKOUlUanBR' +
    'UUxFVWF5dk1iMHZkblF5cEUK+KfSeKBSagANiN5gOj2KIQFnCLAIkuzYgd0xZhPx8LAZVYAc7gaE1rerrSSWU7d9FzXPo+EDqj24' +
    'a37ok5I=',
};

test('a file that the program age has encrypted is opened', async () => {
  const path = join(folder, 'foreign');
  await writeFile(path, Buffer.from(foreign.file, 'base64'));
  expect((await decrypt(path, [foreign.identity])).toString()).toBe('name,units\nInvented fund,12.5\n');
});

test('what is no recipient is refused, and a secret key is not shown', () => {
  expect(recipientFault(recipient)).toBeUndefined();
  expect(recipientFault('age1mistyped')).toMatch(/^"age1mistyped" is not a recipient/);
  expect(recipientFault('ssh-ed25519 AAAA')).toMatch(/is not a recipient/);
  expect(recipientFault(identity)).toMatch(/the secret one of an identity/);
  expect(recipientFault(identity)).not.toContain(identity.slice(20));
  expect(identityFault(identity)).toBeUndefined();
  expect(identityFault(recipient)).toBe('is not an identity of age (AGE-SECRET-KEY-1…)');
});
