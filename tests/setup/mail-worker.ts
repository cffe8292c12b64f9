// A node that does nothing but send mail, as a process of its own, so that it can be killed in the midst of it. Its clock begins at
// STARTED_AT.

import { mailAttemptMs } from '../../src/actions/mailing.ts';
import { readConfig } from '../../src/config.ts';
import { SmtpMailer } from '../../src/gateways/smtp-mailer.ts';
import { connectionTo, openHouse } from '../../src/house.ts';
import { mailsOn } from './mails.ts';

const [startedAt, begunAt] = [Number(process.env['STARTED_AT']), Date.now()];
const clock = { now: (): number => startedAt + Date.now() - begunAt };
const config = readConfig(process.env);
const house = await openHouse({
  config,
  connection: connectionTo(config, { connectionString: config.databaseUrl! }),
  poolSize: 4,
  clock,
  addresses: { baseUrl: '', legacyUrl: '', authUrl: '' },
  walls: undefined,
  onIdleError: () => {},
});
const { smtp, from } = config.mail;
const mailer = new SmtpMailer({ place: smtp!, from, timeoutMs: mailAttemptMs });
const mails = mailsOn(house, (letter, signal) => mailer.send(letter, signal), { sideBySide: 3 });

for (;;) {
  await mails.sweep();
  await mails.settle();
}
