// Keeps mail as files where there is no mail server: one for each letter, whole or not at all, for the operator alone.

import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { messageOf, noMailbox, type Letter, type Mailer, type MailOutcome, type Sender } from './mailer.ts';

export interface MailFilesOptions {
  readonly folder: string;
  readonly from: Sender;
  onKept(file: string): void;
}

export class MailFiles implements Mailer {
  readonly #options: MailFilesOptions;
  readonly #composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });

  constructor(options: MailFilesOptions) {
    this.#options = options;
  }

  async send(letter: Letter): Promise<MailOutcome> {
    const { folder, from, onKept } = this.#options;
    const composed = messageOf(letter, from);
    if (composed === undefined) return noMailbox;
    try {
      const { message } = await this.#composer.sendMail({ ...composed, text: { raw: asItIs(letter.text) } });
      // Named by the letter: kept twice, it is there once.
      const file = join(folder, `${letter.id}.eml`);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await keep(file, message as Buffer);
      onKept(file);
      return { kind: 'sent' };
    } catch {
      return { kind: 'failed', isFinal: false, detail: 'The mail could not be written to a file.' };
    }
  }

  async close(): Promise<void> {}
}

/** Not folded or encoded, so that a link can be copied out of any editor. */
function asItIs(text: string): string {
  return `Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${text}`;
}

async function keep(file: string, bytes: Buffer): Promise<void> {
  const half = `${file}.part`;
  const handle = await open(half, 'w', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(half, file);
}
