// Addresses of electronic mail: what one looks like, and when two are the same. Sends nothing.

import { FieldFault, text, type FieldKind } from '../kit/field.ts';

const lengthMax = 254;
const localBytesMax = 64;

/** RFC 5321 and 6531 without quotes, comments and literal addresses: nobody is invited at such. */
const local = /^[^\s\p{C}@<>()[\]\\,;:"]+$/u;
const label = /^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?$/u;

function isAddress(value: string): boolean {
  const [name = '', domain = '', ...more] = value.split('@');
  const labels = domain.split('.');
  const isName = local.test(name) && !/^\.|\.\.|\.$/.test(name) && Buffer.byteLength(name) <= localBytesMax;
  const isDomain = labels.length > 1 && labels.every((one) => one.length <= 63 && label.test(one));
  return more.length === 0 && isName && isDomain;
}

const plain = text({ lengthMax });

export const emailAddress: FieldKind<string> = {
  read(value) {
    const address = plain.read(value);
    if (!isAddress(address)) throw new FieldFault('must be an address of electronic mail');
    return address;
  },
  write: (value) => value,
  schema: () => ({ type: 'string', format: 'email', maxLength: lengthMax }),
};

/** Two addresses are the same when this is: letters large or small, composed or not. Dots and what follows a plus count. */
export function addressKey(address: string): string {
  return address.trim().toLowerCase().normalize('NFC');
}
