// What mail is to whoever sends it: a letter, what came of it, and how it is written down for a mail server or a file. Knows neither
// invites nor when to try again.

import { domainToASCII } from 'node:url';
import type { SendMailOptions } from 'nodemailer';
import type { Id } from '../kit/id.ts';

export interface OutgoingMessage {
  /** The same at every attempt, and part of its `Message-ID`: whoever gets it twice can tell. */
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
      /** It was refused for good: to try again is of no use. */
      readonly isFinal: boolean;
      /** A sentence for whoever has sent the invite. Holds no word of anybody else's: those may name people. */
      readonly detail: string;
    }
  /** It was interrupted because this node is being stopped. */
  | { readonly kind: 'stopped' };

export interface Mailer {
  /** Never throws: what goes wrong on the way is an outcome too. */
  send(outgoing: OutgoingMessage, signal: AbortSignal): Promise<MailOutcome>;
  /** What is under way is cut off. */
  close(): Promise<void>;
}

/** RFC 5890: mail servers know domains in their ASCII form only. */
function toAsciiMailbox(address: string): string | undefined {
  const at = address.lastIndexOf('@');
  const domain = domainToASCII(address.slice(at + 1));
  return domain === '' ? undefined : `${address.slice(0, at)}@${domain}`;
}

export const invalidMailbox = {
  kind: 'failed',
  isFinal: true,
  detail: 'The address is not one that a mail server takes.',
} as const satisfies MailOutcome;

/** RFC 3834: no machine shall answer a machine. */
const headers = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' };

/** Undefined where it is to no mailbox. */
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
