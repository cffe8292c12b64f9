// Builds what sends mail: to a mail server, or without one into files. Made once, beside everything else that lives long.

import { join } from 'node:path';
import type { Logger } from 'pino';
import type { House } from '../actions/core/context.ts';
import { mailAttemptMs } from '../actions/people/mail-queue.ts';
import type { Config } from './config.ts';
import { MailFiles } from '../gateways/file-mailer.ts';
import type { Mailer } from '../gateways/mailer.ts';
import { SmtpMailer } from '../gateways/smtp-mailer.ts';
import { mailHintsEveryMs, Mails, mailSweepEveryMs, type MailObserver } from '../jobs/mail-worker.ts';
import type { Job } from '../jobs/scheduler.ts';

export interface Mailing {
  readonly jobs: readonly Job[];
  stop(): Promise<void>;
}

interface Parts {
  readonly config: Config;
  readonly house: House;
  readonly log: Logger;
  readonly observer: MailObserver;
}

/** Where mail is kept without a mail server. */
export function mailFolderOf({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'mail');
}

function makeMailer({ config, log }: Parts): Mailer {
  const { smtp, from } = config.mail;
  if (smtp !== undefined) return new SmtpMailer({ place: smtp, from, timeoutMs: mailAttemptMs });
  const folder = mailFolderOf(config);
  // The file alone is named: who reads the log shall not be able to accept an invite.
  return new MailFiles({ folder, from, onKept: (file) => log.info({ file }, 'mail was kept as a file') });
}

export function makeMailing(parts: Parts): Mailing {
  const { house, log, observer } = parts;
  const mailer = makeMailer(parts);
  const mails = new Mails({
    house,
    observer,
    async send(letter, signal) {
      const outcome = await mailer.send(letter, signal);
      if (outcome.kind === 'failed')
        log.warn({ mail: letter.id, failure: outcome.detail, isFinal: outcome.isFinal }, 'mail could not be sent');
      return outcome;
    },
  });
  return {
    jobs: [
      { name: 'mails', everyMs: mailHintsEveryMs, run: () => mails.lookWhereHinted() },
      { name: 'all mails', everyMs: mailSweepEveryMs, run: () => mails.sweep() },
    ],
    async stop() {
      await mails.stop();
      await mailer.close();
    },
  };
}
