// Mail when a test asks for it, on the house of a service, to a mail server that the test plays.

import type { House } from '../../../src/actions/core/context.ts';
import type { SendMail } from '../../../src/actions/people/mail-queue.ts';
import type { Letter, MailOutcome } from '../../../src/gateways/mailer.ts';
import { Mails, type MailsOptions } from '../../../src/jobs/mail-worker.ts';

export const sent: MailOutcome = { kind: 'sent' };

export function failed(detail: string, more: { isFinal?: boolean } = {}): MailOutcome {
  return { kind: 'failed', isFinal: false, detail, ...more };
}

export type SendingMails = Mails & { readonly outcomes: string[]; readonly failures: unknown[]; waiting: number };

/** What sends mail on a node. What came of it is kept for whoever looks. */
export function mailsOn(house: House, send: SendMail, options: Partial<MailsOptions> = {}): SendingMails {
  const outcomes: string[] = [];
  const failures: unknown[] = [];
  const observer = {
    mailed: (outcome: string) => void outcomes.push(outcome),
    waiting: (count: number) => void (mails.waiting = count),
    failure: (error: unknown) => void failures.push(error),
  };
  const mails: SendingMails = Object.assign(new Mails({ house, send, observer, ...options }), {
    outcomes,
    failures,
    waiting: 0,
  });
  return mails;
}

/** All that is due, once. */
export async function sendDue(...nodes: readonly SendingMails[]): Promise<void> {
  await Promise.all(nodes.map((mails) => mails.sweep()));
  await Promise.all(nodes.map((mails) => mails.settle()));
  for (const { failures } of nodes)
    if (failures.length > 0) throw new Error('Sending mail failed.', { cause: failures[0] });
}

/** A mail server that keeps what it takes; `answer` says what it makes of each letter. */
export function mailServer(answer: (letter: Letter) => MailOutcome | Promise<MailOutcome> = () => sent): {
  readonly letters: Letter[];
  readonly asked: Letter[];
  readonly send: SendMail;
} {
  const [letters, asked]: Letter[][] = [[], []];
  const send: SendMail = async (letter) => {
    asked!.push(letter);
    const outcome = await answer(letter);
    if (outcome.kind === 'sent') letters!.push(letter);
    return outcome;
  };
  return { letters: letters!, asked: asked!, send };
}
