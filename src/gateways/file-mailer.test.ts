// Checks mail that is written to files: complete, readable by the operator only, one file for each message.

import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readMail } from '../../tests/setup/mail/received-mail.ts';
import type { Id } from '../kit/id.ts';
import { FileMailer } from './file-mailer.ts';
import type { OutgoingMessage } from './mailer.ts';

const link = 'http://127.0.0.1:8080/invites/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
const outgoing: OutgoingMessage = {
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

function makeFileMailer(folder: string): { mailer: FileMailer; saved: string[] } {
  const saved: string[] = [];
  const from = { name: 'Holdfast', address: 'holdfast@localhost' };
  return { mailer: new FileMailer({ folder, from, onSaved: (file) => void saved.push(file) }), saved };
}

test('a message is written as a file that mail programs can open and only its owner can read', async () => {
  const folder = join(await folderForThisTest(), 'data', 'mail');
  const { mailer, saved } = makeFileMailer(folder);
  expect(await mailer.send(outgoing)).toEqual({ kind: 'sent' });
  const file = join(folder, '66f0c0ffee00000000000001.eml');
  expect(saved).toEqual([file]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  const bytes = await readFile(file, 'latin1');
  const { headers, parts } = readMail(bytes);
  expect([headers['to'], headers['subject']]).toEqual(['astrid@lindqvist.example', 'Invitation to Ödegård']);
  expect(parts['text/plain']!.trimEnd()).toBe(outgoing.text.trimEnd());
});

test('the link is on a separate line, so that it can be copied from an editor', async () => {
  const folder = await folderForThisTest();
  await makeFileMailer(folder).mailer.send(outgoing);
  expect((await readFile(join(folder, `${outgoing.id}.eml`), 'latin1')).split('\n')).toContain(link);
});

test('a message that is written again replaces the first file, even an incomplete one', async () => {
  const folder = await folderForThisTest();
  await writeFile(join(folder, `${outgoing.id}.eml.part`), 'half of it'.repeat(1_000));
  const { mailer } = makeFileMailer(folder);
  await mailer.send(outgoing);
  const first = readMail(await readFile(join(folder, `${outgoing.id}.eml`), 'latin1'));
  await mailer.send(outgoing);
  expect(await readdir(folder)).toEqual([`${outgoing.id}.eml`]);
  expect(readMail(await readFile(join(folder, `${outgoing.id}.eml`), 'latin1')).parts).toEqual(first.parts);
});

test('a message that cannot be written is retried', async () => {
  const folder = join(await folderForThisTest(), 'a-file');
  await writeFile(folder, '');
  const { mailer, saved } = makeFileMailer(folder);
  const detail = 'The mail could not be written to a file.';
  expect([await mailer.send(outgoing), saved]).toEqual([{ kind: 'failed', isFinal: false, detail }, []]);
});
