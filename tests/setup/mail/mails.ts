// Sends mail in a test, on the context of a service, to a fake mail server.

import type { AppContext } from '../../../src/actions/core/context.ts';
import type { SendMail } from '../../../src/actions/people/mail-queue.ts';
import type { OutgoingMessage, MailOutcome } from '../../../src/gateways/mailer.ts';
import type { QueueWorker } from '../../../src/jobs/leased-worker.ts';
import { createMailWorker, type MailWorkerOptions } from '../../../src/jobs/mail-worker.ts';

export const sentOutcome: MailOutcome = { kind: 'sent' };

export function failedOutcome(detail: string, more: { isFinal?: boolean } = {}): MailOutcome {
  return { kind: 'failed', isFinal: false, detail, ...more };
}

export type ObservedMails = QueueWorker & {
  readonly outcomes: string[];
  readonly failures: unknown[];
};

/** The mail worker of a node, with lists of its outcomes and failures. */
export function createMails(
  context: AppContext,
  send: SendMail,
  options: Partial<MailWorkerOptions> = {},
): ObservedMails {
  const outcomes: string[] = [];
  const failures: unknown[] = [];
  const observer = {
    onOutcome: (outcome: string) => void outcomes.push(outcome),
    onFailure: (error: unknown) => void failures.push(error),
  };
  return Object.assign(createMailWorker({ context, send, observer, ...options }), { outcomes, failures });
}

/** Makes one attempt at all mail that is due. */
export async function sendDue(...nodes: readonly ObservedMails[]): Promise<void> {
  await Promise.all(nodes.map((mails) => mails.sweep()));
  await Promise.all(nodes.map((mails) => mails.drain()));
  for (const { failures } of nodes)
    if (failures.length > 0) throw new Error('Sending mail failed.', { cause: failures[0] });
}

/** A mail server that records what it accepts; `answer` decides about each message. */
export function recordingMailServer(
  answer: (message: OutgoingMessage) => MailOutcome | Promise<MailOutcome> = () => sentOutcome,
): {
  readonly messages: OutgoingMessage[];
  readonly attempted: OutgoingMessage[];
  readonly send: SendMail;
} {
  const [messages, attempted]: OutgoingMessage[][] = [[], []];
  const send: SendMail = async (message) => {
    attempted!.push(message);
    const outcome = await answer(message);
    if (outcome.kind === 'sent') messages!.push(message);
    return outcome;
  };
  return { messages: messages!, attempted: attempted!, send };
}
