// Sends mail through an SMTP server over pooled connections, encrypted unless the server is on this machine.

import type { Transporter } from 'nodemailer';
import type SMTPPool from 'nodemailer/lib/smtp-pool';
import {
  toMailOptions,
  invalidMailbox,
  type OutgoingMessage,
  type Mailer,
  type MailOutcome,
  type MailSender,
} from './mailer.ts';
import { toSmtpFailure } from './smtp-failure.ts';

export interface SmtpSettings {
  readonly host: string;
  readonly port: number;
  /** `none` only for a server on this machine. */
  readonly tls: 'from-the-start' | 'required' | 'none';
  readonly login: { readonly user: string; readonly password: string } | undefined;
}

export interface SmtpOptions {
  readonly server: SmtpSettings;
  readonly from: MailSender;
  /** From the connection to the last response. */
  readonly timeoutMs: number;
  /** Certificate authorities to trust instead of the default ones, as PEM. */
  readonly authorities?: string;
}

/** Connections open at the same time. */
const smtpConnectionsMax = 5;

/** How long each step of sending a mail may take. */
const stepMs = { dns: 10_000, connection: 10_000, greeting: 10_000, socket: 20_000 };

export class SmtpMailer implements Mailer {
  readonly #options: SmtpOptions;
  #transporter: Transporter<SMTPPool.SentMessageInfo> | undefined;

  constructor(options: SmtpOptions) {
    this.#options = options;
  }

  async send(outgoing: OutgoingMessage, signal: AbortSignal): Promise<MailOutcome> {
    const { promise: ended, resolve } = Promise.withResolvers<MailOutcome>();
    const timer = setTimeout(() => resolve(timedOut), this.#options.timeoutMs);
    const stop = (): void => resolve({ kind: 'stopped' });
    signal.addEventListener('abort', stop, { once: true });
    try {
      if (signal.aborted) return { kind: 'stopped' };
      const outcome = await Promise.race([this.#deliver(outgoing), ended]);
      // A server that responds byte by byte triggers no other timeout and would block its connection forever.
      if (outcome === timedOut) this.#closeConnections();
      return outcome;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
  }

  async #deliver(outgoing: OutgoingMessage): Promise<MailOutcome> {
    const message = toMailOptions(outgoing, this.#options.from);
    if (message === undefined) return invalidMailbox;
    const transporter = await this.#openTransporter();
    try {
      await transporter.sendMail(message);
      return { kind: 'sent' };
    } catch (error) {
      return { kind: 'failed', ...toSmtpFailure(error) };
    }
  }

  /** Loads the library with the first mail: many nodes never send one. */
  async #openTransporter(): Promise<Transporter<SMTPPool.SentMessageInfo>> {
    const { createTransport } = await import('nodemailer');
    return (this.#transporter ??= createTransport(transportOptions(this.#options)));
  }

  #closeConnections(): void {
    (this.#transporter?.transporter as SMTPPool | undefined)?.close({ force: true });
    this.#transporter = undefined;
  }

  async close(): Promise<void> {
    this.#closeConnections();
  }
}

const timedOut: MailOutcome = { kind: 'failed', isFinal: false, detail: 'The mail server did not answer in time.' };

function transportOptions({ server, authorities }: SmtpOptions): SMTPPool.Options {
  const { host, port, tls, login } = server;
  return {
    pool: true,
    host,
    port,
    secure: tls === 'from-the-start',
    requireTLS: tls === 'required',
    ignoreTLS: tls === 'none',
    // Set explicitly, so that no setting of the process can turn it off.
    tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2', ...(authorities === undefined ? {} : { ca: authorities }) },
    ...(login === undefined ? {} : { auth: { user: login.user, pass: login.password } }),
    dnsTimeout: stepMs.dns,
    connectionTimeout: stepMs.connection,
    greetingTimeout: stepMs.greeting,
    socketTimeout: stepMs.socket,
    maxConnections: smtpConnectionsMax,
    // An interrupted message may have arrived: the mail worker decides whether to send it again.
    maxRequeues: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
