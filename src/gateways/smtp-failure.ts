// Why a mail server has not taken a letter, in the few words that are told to whoever sent it. Knows the codes of nodemailer and of
// SMTP, and repeats nothing that the server has said: that may name people.

import { invalidMailbox } from './mailer.ts';

export interface SmtpFailure {
  readonly isFinal: boolean;
  readonly detail: string;
}

/** What nodemailer says of an error. */
interface SmtpError {
  readonly code?: string;
  readonly command?: string;
  readonly response?: string;
  readonly responseCode?: number;
}

/** RFC 4954: the server wants the service to log in, which is no fault of the letter. */
const loginCodes: ReadonlySet<number> = new Set([530, 534, 535, 538]);

const detailByCode: Readonly<Record<string, string>> = {
  ETIMEDOUT: 'The mail server did not answer in time.',
  EDNS: 'The name of the mail server could not be looked up.',
  ETLS: 'A secure connection to the mail server could not be made.',
  EAUTH: 'The mail server did not let the service in.',
  ENOAUTH: 'The mail server did not let the service in.',
};

const connectionLost = 'The connection to the mail server was lost or could not be made.';

export function toSmtpFailure(error: unknown): SmtpFailure {
  const { code = '', command = '', responseCode = 0, response = '' } = (error ?? {}) as SmtpError;
  if (code === 'EENVELOPE' && command === 'API') return { isFinal: true, detail: invalidMailbox.detail };
  if (code === 'EAUTH' || loginCodes.has(responseCode)) return { isFinal: false, detail: detailByCode['EAUTH']! };
  if (responseCode === 0) return { isFinal: false, detail: detailByCode[code] ?? connectionLost };
  const statusCodes = `${responseCode}${/^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1]?.replace(/^/, ' ') ?? ''}`;
  if (responseCode >= 500 && command === 'RCPT TO')
    return { isFinal: true, detail: `The mail server refused the address: ${statusCodes}.` };
  if (responseCode >= 500 && command === 'DATA')
    return { isFinal: true, detail: `The mail server refused the message: ${statusCodes}.` };
  return { isFinal: false, detail: `The mail server could not take the message: ${statusCodes}.` };
}
