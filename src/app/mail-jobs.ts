// Builds what sends mail: to a mail server, or without one into files. Made once, beside everything else that lives long.

import { join } from 'node:path';
import type { Logger } from 'pino';
import type { AppContext } from '../actions/core/context.ts';
import { mailAttemptTimeoutMs } from '../actions/people/mail-queue.ts';
import type { Config } from './config.ts';
import { FileMailer } from '../gateways/file-mailer.ts';
import type { Mailer } from '../gateways/mailer.ts';
import { SmtpMailer } from '../gateways/smtp-mailer.ts';
import { mailWakeUpIntervalMs, MailWorker, mailSweepIntervalMs, type MailObserver } from '../jobs/mail-worker.ts';
import type { Job } from '../jobs/scheduler.ts';

export interface MailJobs {
  readonly jobs: readonly Job[];
  stop(): Promise<void>;
}

interface MailJobsParts {
  readonly config: Config;
  readonly context: AppContext;
  readonly log: Logger;
  readonly observer: MailObserver;
}

/** Where mail is kept without a mail server. */
export function mailFolder({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'mail');
}

function makeMailer({ config, log }: MailJobsParts): Mailer {
  const { smtp, from } = config.mail;
  if (smtp !== undefined) return new SmtpMailer({ server: smtp, from, timeoutMs: mailAttemptTimeoutMs });
  const folder = mailFolder(config);
  // The file alone is named: who reads the log shall not be able to accept an invite.
  return new FileMailer({ folder, from, onSaved: (file) => log.info({ file }, 'mail was kept as a file') });
}

export function makeMailJobs(parts: MailJobsParts): MailJobs {
  const { context, log, observer } = parts;
  const mailer = makeMailer(parts);
  const worker = new MailWorker({
    context,
    observer,
    async send(outgoing, signal) {
      const outcome = await mailer.send(outgoing, signal);
      if (outcome.kind === 'failed')
        log.warn({ mail: outgoing.id, failure: outcome.detail, isFinal: outcome.isFinal }, 'mail could not be sent');
      return outcome;
    },
  });
  return {
    jobs: [
      { name: 'mails', intervalMs: mailWakeUpIntervalMs, run: () => worker.processWakeUps() },
      { name: 'all mails', intervalMs: mailSweepIntervalMs, run: () => worker.sweep() },
    ],
    async stop() {
      await worker.stop();
      await mailer.close();
    },
  };
}
