// The settings of mail: the server it is handed to, who it is from, and how much of it a workspace may send.

import type { MailLimits } from '../actions/people/mail-limits.ts';
import type { Sender } from '../gateways/mailer.ts';
import type { SmtpPlace } from '../gateways/smtp-mailer.ts';
import type { Reader } from './setting-reader.ts';

export interface MailSettings {
  /** Undefined: mail is kept as files. */
  readonly smtp: SmtpPlace | undefined;
  readonly from: Sender;
  readonly limits: MailLimits;
}

/** The ports of submission: RFC 6409 with STARTTLS, RFC 8314 with TLS from the beginning. */
const usualPorts = { 'smtp:': 587, 'smtps:': 465 } as const;

const localHost = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

function placeOf(text: string): SmtpPlace | undefined {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'smtp:' && url.protocol !== 'smtps:')) return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isBare = host !== '' && /^\/?$/.test(url.pathname) && url.search === '' && url.hash === '';
  const isWholeLogin = (url.username === '') === (url.password === '');
  if (!isBare || !isWholeLogin || url.port === '0' || !isDecodable(url.username + url.password)) return undefined;
  return {
    host,
    port: url.port === '' ? usualPorts[url.protocol] : Number(url.port),
    tls: url.protocol === 'smtps:' ? 'from-the-start' : localHost.test(host) ? 'none' : 'required',
    login:
      url.username === ''
        ? undefined
        : { user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) },
  };
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function senderOf(text: string): Sender | undefined {
  const [, name = '', named, bare] = /^(?:([^<>@"\\\p{Cc}]*)<([^<>]+)>|([^<>]+))$/u.exec(text.trim()) ?? [];
  const address = named ?? bare ?? '';
  if (!/^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z\d]([a-z\d.-]{0,250}[a-z\d])?$/i.test(address)) return undefined;
  return { name: name.trim() || 'Holdfast', address };
}

export function readMailSettings(read: Reader): MailSettings {
  const smtpUrl = read.checked(
    'SMTP_URL',
    'a mail server, such as smtp://user:password@mail.example.com:587, or smtps:// for TLS from the start',
    (text) => placeOf(text) !== undefined,
  );
  const from = read.checked(
    'MAIL_FROM',
    'an address, with a name or without, such as Holdfast <no-reply@example.com>',
    (text) => senderOf(text) !== undefined,
  );
  if (read.text('SMTP_URL') !== undefined && read.text('MAIL_FROM') === undefined)
    read.faults.push('MAIL_FROM is required with SMTP_URL: the address that mail is from.');
  return {
    smtp: smtpUrl === undefined ? undefined : placeOf(smtpUrl),
    from: senderOf(from ?? 'holdfast@localhost')!,
    limits: {
      perHour: read.integer('MAIL_PER_HOUR', { min: 1, max: 10_000_000, byDefault: 200 }),
      perDay: read.integer('MAIL_PER_DAY', { min: 1, max: 10_000_000, byDefault: 1_000 }),
      perAddressHour: read.integer('MAIL_PER_ADDRESS_HOUR', { min: 1, max: 10_000_000, byDefault: 5 }),
      perAddressDay: read.integer('MAIL_PER_ADDRESS_DAY', { min: 1, max: 10_000_000, byDefault: 20 }),
    },
  };
}
