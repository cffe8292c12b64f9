// Reads the settings of mail: the server, the sender, and how much mail a workspace may send.

import { defined } from '../kit/assert.ts';
import type { MailLimits } from '../actions/people/mail-limits.ts';
import type { MailSender } from '../gateways/mailer.ts';
import type { SmtpSettings } from '../gateways/smtp-mailer.ts';
import type { SettingReader } from './setting-reader.ts';

export interface MailSettings {
  /** If undefined, mail is written to files. */
  readonly smtp: SmtpSettings | undefined;
  readonly from: MailSender;
  readonly limits: MailLimits;
}

/** The submission ports: RFC 6409 with STARTTLS, RFC 8314 with TLS from the start. */
const defaultPorts = { 'smtp:': 587, 'smtps:': 465 } as const;

const localHost = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

function parseSmtpUrl(text: string): SmtpSettings | undefined {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'smtp:' && url.protocol !== 'smtps:')) return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const hasOnlyHost = host !== '' && /^\/?$/.test(url.pathname) && url.search === '' && url.hash === '';
  const isCompleteLogin = (url.username === '') === (url.password === '');
  if (!hasOnlyHost || !isCompleteLogin || url.port === '0' || !isDecodable(url.username + url.password))
    return undefined;
  return {
    host,
    port: url.port === '' ? defaultPorts[url.protocol] : Number(url.port),
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

function parseSender(text: string): MailSender | undefined {
  const [, name = '', named, bare] = /^(?:([^<>@"\\\p{Cc}]*)<([^<>]+)>|([^<>]+))$/u.exec(text.trim()) ?? [];
  const address = named ?? bare ?? '';
  if (!/^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z\d]([a-z\d.-]{0,250}[a-z\d])?$/i.test(address)) return undefined;
  return { name: name.trim() || 'Holdfast', address };
}

export function readMailSettings(reader: SettingReader): MailSettings {
  const smtpUrl = reader.checked(
    'SMTP_URL',
    'a mail server, such as smtp://user:password@mail.example.com:587, or smtps:// for TLS from the start',
    (text) => parseSmtpUrl(text) !== undefined,
  );
  const from = reader.checked(
    'MAIL_FROM',
    'an address, with a name or without, such as Holdfast <no-reply@example.com>',
    (text) => parseSender(text) !== undefined,
  );
  if (reader.text('SMTP_URL') !== undefined && reader.text('MAIL_FROM') === undefined)
    reader.faults.push('MAIL_FROM is required with SMTP_URL: the address that mail is sent from.');
  return {
    smtp: smtpUrl === undefined ? undefined : parseSmtpUrl(smtpUrl),
    from: defined(parseSender(from ?? 'holdfast@localhost'), 'a checked MAIL_FROM can be parsed'),
    limits: {
      perHour: reader.integer('MAIL_PER_HOUR', { min: 1, max: 10_000_000, defaultValue: 200 }),
      perDay: reader.integer('MAIL_PER_DAY', { min: 1, max: 10_000_000, defaultValue: 1_000 }),
      perAddressHour: reader.integer('MAIL_PER_ADDRESS_HOUR', { min: 1, max: 10_000_000, defaultValue: 5 }),
      perAddressDay: reader.integer('MAIL_PER_ADDRESS_DAY', { min: 1, max: 10_000_000, defaultValue: 20 }),
    },
  };
}
