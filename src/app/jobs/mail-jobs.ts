// Builds what sends mail on a node: to a mail server, or into files where none is configured.

import { join } from 'node:path';
import type { Logger } from 'pino';
import type { AppContext } from '../../actions/core/context.ts';
import { mailAttemptTimeoutMs } from '../../actions/people/mail-queue.ts';
import type { BackgroundJobs } from './background-jobs.ts';
import type { Config } from '../config.ts';
import { FileMailer } from '../../gateways/file-mailer.ts';
import type { Mailer } from '../../gateways/mailer.ts';
import { SmtpMailer } from '../../gateways/smtp-mailer.ts';
import { createMailWorker, type MailObserver } from '../../jobs/mail-worker.ts';

interface MailJobsParts {
  readonly config: Config;
  readonly context: AppContext;
  readonly log: Logger;
  readonly observer: MailObserver;
}

/** Where mail is saved when no mail server is configured. */
export function mailFolder({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'mail');
}

function makeMailer({ config, log }: MailJobsParts): Mailer {
  const { smtp, from } = config.mail;
  if (smtp !== undefined) return new SmtpMailer({ server: smtp, from, timeoutMs: mailAttemptTimeoutMs });
  const folder = mailFolder(config);
  // Logs the name of the file only: a reader of the log must not be able to accept an invite.
  return new FileMailer({ folder, from, onSaved: (file) => log.info({ file }, 'mail was saved as a file') });
}

export function makeMailJobs(parts: MailJobsParts): BackgroundJobs {
  const { context, log, observer } = parts;
  const mailer = makeMailer(parts);
  const worker = createMailWorker({
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
    jobs: worker.jobs,
    async stop() {
      await worker.stop();
      await mailer.close();
    },
  };
}
