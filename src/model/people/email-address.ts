// Email addresses: which are valid, and when two are the same.

import { domainToASCII } from 'node:url';
import { FieldFault, text, type FieldKind } from '../../kit/field.ts';

const lengthMax = 254;
const localBytesMax = 64;

/** RFC 5321 and 6531 without quoted names, comments and address literals, which no invite needs. */
const localPart = /^[^\s\p{C}@<>()[\]\\,;:"]+$/u;
const domainLabel = /^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?$/u;

/** Mail servers accept a domain if no label of its ASCII form is too long and the last one is not a number. */
function isDomain(domain: string): boolean {
  const labels = domainToASCII(domain).split('.');
  const isWellFormed = domain.split('.').every((label) => domainLabel.test(label));
  return (
    isWellFormed &&
    labels.length > 1 &&
    labels.every((label) => label.length <= 63) &&
    !/^\d*$/.test(labels.at(-1) ?? '')
  );
}

function isAddress(value: string): boolean {
  const [name = '', domain = '', ...rest] = value.split('@');
  const isLocalPart = localPart.test(name) && !/^\.|\.\.|\.$/.test(name) && Buffer.byteLength(name) <= localBytesMax;
  return rest.length === 0 && isLocalPart && isDomain(domain);
}

const plainText = text({ lengthMax });

export const emailAddress: FieldKind<string> = {
  read(value) {
    const address = plainText.read(value);
    if (!isAddress(address)) throw new FieldFault('must be an email address');
    return address;
  },
  write: (value) => value,
  schema: () => ({ type: 'string', format: 'email', maxLength: lengthMax }),
};

/** Groups addresses that probably share a mailbox, by ignoring what follows a plus. Use it to count mail, never to identify a person. */
export function mailboxKey(address: string): string {
  const key = addressKey(address);
  const at = key.lastIndexOf('@');
  const plus = key.slice(0, at).indexOf('+', 1);
  return `${key.slice(0, plus < 0 ? at : plus)}@${domainToASCII(key.slice(at + 1))}`;
}

/** Two addresses with the same key are the same. Ignores case and Unicode composition; dots and what follows a plus count. */
export function addressKey(address: string): string {
  return address.trim().toLowerCase().normalize('NFC');
}
