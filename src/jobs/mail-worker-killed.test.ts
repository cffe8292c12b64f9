// Repeatedly kills a worker (SIGKILL) at random points while it sends mail: all mail arrives, and only mail that was in progress
// arrives twice, with the same id. KILLS sets how often; the default is two.

import { spawn, type ChildProcess } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { createMails, sendDue } from '../../tests/setup/mail/mails.ts';
import { makeInvite, makeUser } from '../../tests/setup/people/members.ts';
import { readMail } from '../../tests/setup/mail/received-mail.ts';
import { programEnvironment } from '../../tests/setup/node/program-environment.ts';
import { serviceForThisFile } from '../../tests/setup/node/test-service.ts';
import { SmtpServer } from '../../tests/setup/mail/smtp-server.ts';
import { SmtpMailer } from '../gateways/smtp-mailer.ts';
import { minuteMs } from '../kit/clock.ts';
import { Keyring } from '../signing/keyring.ts';

const kills = Number(process.env['KILLS'] ?? 2);
const [messagesToKillMax, concurrency] = [5, 3];
/** Longer than a killed worker can have run, and longer than its leases. */
const leasesExpireMs = 10 * minuteMs;

const encryptionKey = Keyring.generate();
const service = serviceForThisFile({ settings: { ENCRYPTION_KEY: encryptionKey } });

function startWorker(server: SmtpServer): ChildProcess {
  const env = {
    ...programEnvironment,
    DATABASE_URL: service.database.url,
    ENCRYPTION_KEY: encryptionKey,
    SMTP_URL: `smtp://127.0.0.1:${server.port}`,
    MAIL_FROM: 'post@office.example',
    NODE_ENV: 'test',
    STARTED_AT: String(service.clock.now()),
  };
  const script = new URL('../../tests/setup/mail/mail-worker.ts', import.meta.url).pathname;
  return spawn(process.execPath, [script], { env, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Lets a worker send a number of mails and kills it at the last one, before or after it has received the answer. */
async function killAfter(messageCount: number, moment: 'before' | 'after', server: SmtpServer): Promise<void> {
  let left = messageCount;
  const worker = startWorker(server);
  onTestFinished(() => void worker.kill('SIGKILL'));
  server.options = {
    answer(command) {
      if (command !== 'message') return undefined;
      left -= 1;
      if (left === 0 && moment === 'before') worker.kill('SIGKILL');
      if (left === 0 && moment === 'after') setImmediate(() => worker.kill('SIGKILL'));
      return undefined;
    },
  };
  const [, signal] = await once(worker, 'exit');
  expect([signal, left <= 0]).toEqual(['SIGKILL', true]);
}

/** Returns the same number for the same seed. */
function pseudoRandom(seed: string): number {
  return Number.parseInt(hash('sha256', seed).slice(0, 8), 16);
}

test(`after ${kills} kills every invited person has received mail`, { timeout: (5 + kills) * minuteMs }, async () => {
  const server = await SmtpServer.start();
  onTestFinished(() => server.stop());
  const client = await service.admin.makeClient('Lindqvist Family');
  const wanted: string[] = [];
  for (let number = 0; number < kills * messagesToKillMax + 3; number++) {
    const email = `member${number}@lindqvist.example`;
    wanted.push(email);
    await makeInvite(service.admin, await makeUser(service.admin, client, { email }));
  }
  for (let kill = 0; kill < kills; kill++) {
    service.clock.advance(leasesExpireMs);
    const messageCount = 1 + (pseudoRandom(`letters ${kill}`) % messagesToKillMax);
    await killAfter(messageCount, kill % 2 === 0 ? 'before' : 'after', server);
  }
  server.options = {};
  const place = { host: '127.0.0.1', port: server.port, tls: 'none', login: undefined } as const;
  const mailer = new SmtpMailer({
    server: place,
    from: { name: '', address: 'post@office.example' },
    timeoutMs: 2 * minuteMs,
  });
  const mails = createMails(service.context, (outgoing, signal) => mailer.send(outgoing, signal));
  // The server may still be ending what a killed worker had begun, so that a mail of it is due a little later.
  const countReceivers = async (): Promise<number> => {
    service.clock.advance(leasesExpireMs);
    await sendDue(mails);
    return new Set(server.messages.map(({ to }) => to[0])).size;
  };
  await expect.poll(countReceivers).toBe(wanted.length);
  await mailer.close();
  const got = server.messages.map(({ to, raw }) => `${to[0]} ${readMail(raw).headers['message-id']}`);
  expect([...new Set(got)].map((one) => one.split(' ')[0]).toSorted()).toEqual(wanted.toSorted());
  expect(got.length - wanted.length).toBeLessThanOrEqual(kills * concurrency);
});
