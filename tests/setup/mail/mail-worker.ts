// A process that only sends mail, for tests that kill it.

import { mailAttemptTimeoutMs } from '../../../src/actions/people/mail-queue.ts';
import { SmtpMailer } from '../../../src/gateways/smtp-mailer.ts';
import { createMails } from './mails.ts';
import { workerConfig, workerContext } from '../node/worker-context.ts';

const { smtp, from } = workerConfig.mail;
const mailer = new SmtpMailer({ server: smtp!, from, timeoutMs: mailAttemptTimeoutMs });
const mails = createMails(workerContext, (message, signal) => mailer.send(message, signal), { concurrency: 3 });

for (;;) {
  await mails.sweep();
  await mails.drain();
}
