// Addresses of electronic mail: what one looks like, and when two are the same. Sends nothing.

import { domainToASCII } from 'node:url';
import { FieldFault, text, type FieldKind } from '../../kit/field.ts';

const lengthMax = 254;
const localBytesMax = 64;

/** RFC 5321 and 6531 without quotes, comments and literal addresses: nobody is invited at such. */
const localPart = /^[^\s\p{C}@<>()[\]\\,;:"]+$/u;
const domainLabel = /^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?$/u;

/** One that mail servers know: in its ASCII form no part is too long, and the last is no number. */
function isDomain(domain: string): boolean {
  const labels = domainToASCII(domain).split('.');
  const isWellFormed = domain.split('.').every((one) => domainLabel.test(one));
  return isWellFormed && labels.length > 1 && labels.every((one) => one.length <= 63) && !/^\d*$/.test(labels.at(-1)!);
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
    if (!isAddress(address)) throw new FieldFault('must be an address of electronic mail');
    return address;
  },
  write: (value) => value,
  schema: () => ({ type: 'string', format: 'email', maxLength: lengthMax }),
};

/** Where mail for an address may well end up: what follows a plus is not looked at. For counting alone, never for knowing somebody. */
export function mailboxKey(address: string): string {
  const key = addressKey(address);
  const at = key.lastIndexOf('@');
  return `${key.slice(0, at).replace(/(?<=.)\+.*$/, '')}@${domainToASCII(key.slice(at + 1))}`;
}

/** Two addresses are the same when this is: letters large or small, composed or not. Dots and what follows a plus count. */
export function addressKey(address: string): string {
  return address.trim().toLowerCase().normalize('NFC');
}
