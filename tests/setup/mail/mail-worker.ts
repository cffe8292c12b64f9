// A node that does nothing but send mail.

import { mailAttemptMs } from '../../../src/actions/people/mail-queue.ts';
import { SmtpMailer } from '../../../src/gateways/smtp-mailer.ts';
import { mailsOn } from './mails.ts';
import { workerConfig, workerHouse } from '../node/worker-context.ts';

const { smtp, from } = workerConfig.mail;
const mailer = new SmtpMailer({ place: smtp!, from, timeoutMs: mailAttemptMs });
const mails = mailsOn(workerHouse, (letter, signal) => mailer.send(letter, signal), { sideBySide: 3 });

for (;;) {
  await mails.sweep();
  await mails.settle();
}
