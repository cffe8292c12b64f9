// Mail kept as files: whole, for the operator alone, once for each letter.

import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readMail } from '../../tests/setup/mail/received-mail.ts';
import type { Id } from '../kit/id.ts';
import { MailFiles } from './file-mailer.ts';
import type { Letter } from './mailer.ts';

const link = 'http://127.0.0.1:8080/invites/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
const letter: Letter = {
  id: '66f0c0ffee00000000000001' as Id,
  createdAt: Date.parse('2026-11-15T12:00:00Z'),
  to: 'astrid@lindqvist.example',
  subject: 'Invitation to Ödegård',
  text: `Come in, Åsa.\n\n${link}\n`,
  html: '<p>Come in.</p>\n',
};

async function folderForThisTest(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-mail-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

function filesIn(folder: string): { files: MailFiles; kept: string[] } {
  const kept: string[] = [];
  const from = { name: 'Holdfast', address: 'holdfast@localhost' };
  return { files: new MailFiles({ folder, from, onKept: (file) => void kept.push(file) }), kept };
}

test('a letter is a file that mail programs open, and that nobody else may read', async () => {
  const folder = join(await folderForThisTest(), 'data', 'mail');
  const { files, kept } = filesIn(folder);
  expect(await files.send(letter)).toEqual({ kind: 'sent' });
  const file = join(folder, '66f0c0ffee00000000000001.eml');
  expect(kept).toEqual([file]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  const bytes = await readFile(file, 'latin1');
  const { headers, parts } = readMail(bytes);
  expect([headers['to'], headers['subject']]).toEqual(['astrid@lindqvist.example', 'Invitation to Ödegård']);
  expect(parts['text/plain']!.trimEnd()).toBe(letter.text.trimEnd());
});

test('the link stands on a line of its own, to be copied out of an editor', async () => {
  const folder = await folderForThisTest();
  await filesIn(folder).files.send(letter);
  expect((await readFile(join(folder, `${letter.id}.eml`), 'latin1')).split('\n')).toContain(link);
});

test('a letter that is kept again, whole or half before, is there once', async () => {
  const folder = await folderForThisTest();
  await writeFile(join(folder, `${letter.id}.eml.part`), 'half of it'.repeat(1_000));
  const { files } = filesIn(folder);
  await files.send(letter);
  const first = readMail(await readFile(join(folder, `${letter.id}.eml`), 'latin1'));
  await files.send(letter);
  expect(await readdir(folder)).toEqual([`${letter.id}.eml`]);
  expect(readMail(await readFile(join(folder, `${letter.id}.eml`), 'latin1')).parts).toEqual(first.parts);
});

test('where nothing can be written, the letter waits', async () => {
  const folder = join(await folderForThisTest(), 'a-file');
  await writeFile(folder, '');
  const { files, kept } = filesIn(folder);
  const detail = 'The mail could not be written to a file.';
  expect([await files.send(letter), kept]).toEqual([{ kind: 'failed', isFinal: false, detail }, []]);
});
