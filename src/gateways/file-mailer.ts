// Writes mail to files when there is no mail server: one file for each message, readable by the operator only.

import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Transporter } from 'nodemailer';
import type StreamTransport from 'nodemailer/lib/stream-transport';
import { putFolder } from '../kit/files/folders.ts';
import {
  toMailOptions,
  invalidMailbox,
  type OutgoingMessage,
  type Mailer,
  type MailOutcome,
  type MailSender,
} from './mailer.ts';

interface FileMailerOptions {
  readonly folder: string;
  readonly from: MailSender;
  onSaved(file: string): void;
}

export class FileMailer implements Mailer {
  readonly #options: FileMailerOptions;
  #composer: Transporter<StreamTransport.SentMessageInfo> | undefined;

  constructor(options: FileMailerOptions) {
    this.#options = options;
  }

  async send(outgoing: OutgoingMessage): Promise<MailOutcome> {
    const { folder, from, onSaved } = this.#options;
    const composed = toMailOptions(outgoing, from);
    if (composed === undefined) return invalidMailbox;
    try {
      this.#composer ??= await makeComposer();
      const { message } = await this.#composer.sendMail({ ...composed, text: { raw: unencodedText(outgoing.text) } });
      // Named after the message, so that a second attempt overwrites the first.
      const file = join(folder, `${outgoing.id}.eml`);
      await putFolder(folder, 0o700);
      await writeWholeFile(file, message as Buffer);
      onSaved(file);
      return { kind: 'sent' };
    } catch {
      return { kind: 'failed', isFinal: false, detail: 'The mail could not be written to a file.' };
    }
  }

  async close(): Promise<void> {}
}

/** Loads the library with the first mail: many nodes never send one. */
async function makeComposer(): Promise<Transporter<StreamTransport.SentMessageInfo>> {
  const { createTransport } = await import('nodemailer');
  return createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
}

/** Leaves the text unfolded and unencoded, so that a link can be copied from any editor. */
function unencodedText(text: string): string {
  return `Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${text}`;
}

async function writeWholeFile(file: string, bytes: Buffer): Promise<void> {
  const partFile = `${file}.part`;
  const handle = await open(partFile, 'w', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(partFile, file);
}
