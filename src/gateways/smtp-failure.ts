// Turns errors of nodemailer and SMTP into the reason of a failed message, for the sender of the invite. Quotes nothing from the mail
// server, which might name people.

import { invalidMailbox } from './mailer.ts';

interface SmtpFailure {
  readonly isFinal: boolean;
  readonly detail: string;
}

/** The members of nodemailer's errors. */
interface SmtpError {
  readonly code?: string;
  readonly command?: string;
  readonly response?: string;
  readonly responseCode?: number;
}

/** RFC 4954: login failed or is required, which is not a fault of the message. */
const loginCodes: ReadonlySet<number> = new Set([530, 534, 535, 538]);

const loginRefused = 'The mail server refused the login of this service.';

const detailByCode: Readonly<Record<string, string>> = {
  ETIMEDOUT: 'The mail server did not answer in time.',
  EDNS: "The mail server's host name could not be resolved.",
  ETLS: 'A secure connection to the mail server could not be established.',
  EAUTH: loginRefused,
  ENOAUTH: loginRefused,
};

const connectionLost = 'The connection to the mail server failed or was lost.';

export function toSmtpFailure(error: unknown): SmtpFailure {
  const { code = '', command = '', responseCode = 0, response = '' } = (error ?? {}) as SmtpError;
  if (code === 'EENVELOPE' && command === 'API') return { isFinal: true, detail: invalidMailbox.detail };
  if (code === 'EAUTH' || loginCodes.has(responseCode)) return { isFinal: false, detail: loginRefused };
  if (responseCode === 0) return { isFinal: false, detail: detailByCode[code] ?? connectionLost };
  const statusCodes = `${responseCode}${/^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1]?.replace(/^/, ' ') ?? ''}`;
  if (responseCode >= 500 && command === 'RCPT TO')
    return { isFinal: true, detail: `The mail server refused the address: ${statusCodes}.` };
  if (responseCode >= 500 && command === 'DATA')
    return { isFinal: true, detail: `The mail server refused the message: ${statusCodes}.` };
  return { isFinal: false, detail: `The mail server did not accept the message: ${statusCodes}.` };
}
