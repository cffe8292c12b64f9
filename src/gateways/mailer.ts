// Defines outgoing messages, the outcome of sending one, and their form for a mail server or a file.

import { domainToASCII } from 'node:url';
import type { SendMailOptions } from 'nodemailer';
import type { Id } from '../kit/id.ts';

export interface OutgoingMessage {
  /** The same for every attempt, and part of the `Message-ID`, so that mail programs recognise duplicates. */
  readonly id: Id;
  readonly createdAt: number;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface MailSender {
  readonly name: string;
  readonly address: string;
}

export type MailOutcome =
  | { readonly kind: 'sent' }
  | {
      readonly kind: 'failed';
      /** Whether it was refused permanently, so that a retry is useless. */
      readonly isFinal: boolean;
      /** A sentence for the sender of the invite. Quotes nothing from the mail server, which might name people. */
      readonly detail: string;
    }
  /** Sending was interrupted because this node is stopping. */
  | { readonly kind: 'stopped' };

export interface Mailer {
  /** Never throws: failures are outcomes. */
  send(outgoing: OutgoingMessage, signal: AbortSignal): Promise<MailOutcome>;
  /** Aborts what is being sent. */
  close(): Promise<void>;
}

/** RFC 5890: mail servers take domains in their ASCII form only. */
function toAsciiMailbox(address: string): string | undefined {
  const at = address.lastIndexOf('@');
  const domain = domainToASCII(address.slice(at + 1));
  return domain === '' ? undefined : `${address.slice(0, at)}@${domain}`;
}

export const invalidMailbox = {
  kind: 'failed',
  isFinal: true,
  detail: 'This is not a valid e-mail address.',
} as const satisfies MailOutcome;

/** RFC 3834: suppresses automatic replies. */
const headers = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' };

/** Returns undefined if the recipient is not a valid mailbox. */
export function toMailOptions(outgoing: OutgoingMessage, from: MailSender): SendMailOptions | undefined {
  const { id, createdAt, to, subject, text, html } = outgoing;
  const mailbox = toAsciiMailbox(to);
  if (mailbox === undefined) return undefined;
  return {
    from: { ...from },
    to: { name: '', address: mailbox },
    envelope: { from: from.address, to: [mailbox] },
    subject,
    text,
    html,
    headers,
    date: new Date(createdAt),
    messageId: `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
    textEncoding: 'quoted-printable',
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
