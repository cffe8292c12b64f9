// Tests which email addresses are valid, and which count as the same.

import { expect, test } from 'vitest';
import { FieldFault } from '../../kit/field.ts';
import { addressKey, emailAddress, mailboxKey } from './email-address.ts';

test('what counts as one mailbox has the name without what follows a plus, and the domain as it is looked up', () => {
  expect(mailboxKey('Ada+bank@Bücher.example')).toBe('ada@xn--bcher-kva.example');
  expect(mailboxKey('+ada@people.example')).toBe('+ada@people.example');
});

const long = 'x'.repeat(63);

test.each([
  'astrid@lindqvist.example',
  'astrid.lindqvist+office@mail.lindqvist.example',
  "o'brien_&-{x}~!#$%*/=?^`|@x-y.example",
  'anna@bücher.example',
  'あや@例え.テスト',
  'x@xn--bcher-kva.example',
  `${'x'.repeat(64)}@lindqvist.example`,
  `x@${long}.${long}.${long}.${'y'.repeat(60)}`,
])('%s is an email address', (address) => {
  expect(emailAddress.read(address)).toBe(address);
});

test.each([
  '',
  'astrid',
  'astrid@',
  '@lindqvist.example',
  'astrid@localhost',
  'astrid@lindqvist..example',
  'astrid@.example',
  'astrid@lindqvist.example.',
  'astrid@-lindqvist.example',
  'astrid@lindqvist_.example',
  'astrid@127.0.0.1',
  'astrid@127.1',
  'astrid@[127.0.0.1]',
  'astrid@\u0663.example',
  `x@${'ü'.repeat(63)}.example`,
  `x@${long}y.example`,
  `${'x'.repeat(65)}@lindqvist.example`,
  `x@${long}.${long}.${long}.${'y'.repeat(61)}`,
  '.astrid@lindqvist.example',
  'astrid.@lindqvist.example',
  'as..trid@lindqvist.example',
  'astrid@lindqvist.example, eve@evil.example',
  'astrid@lindqvist.example;eve@evil.example',
  'Astrid <astrid@lindqvist.example>',
  '<astrid@lindqvist.example>',
  'astrid(home)@lindqvist.example',
  '"astrid lindqvist"@lindqvist.example',
  'astrid lindqvist@lindqvist.example',
  'astrid@lindqvist.example\r\nBcc: eve@evil.example',
  'astrid\u202E@lindqvist.example',
  'astrid@eve@lindqvist.example',
])('%j is not an email address', (address) => {
  expect(() => emailAddress.read(address)).toThrow(FieldFault);
});

test.each([
  ['Astrid@Lindqvist.EXAMPLE', 'astrid@lindqvist.example'],
  [' astrid@lindqvist.example ', 'astrid@lindqvist.example'],
  ['A\u030Asa@lindqvist.example', 'åsa@lindqvist.example'],
])('%j is the same as %j', (one, other) => {
  expect(addressKey(one)).toBe(addressKey(other));
});

test.each([
  ['as.trid@lindqvist.example', 'astrid@lindqvist.example'],
  ['astrid+home@lindqvist.example', 'astrid@lindqvist.example'],
])('%j is not the same as %j', (one, other) => {
  expect(addressKey(one)).not.toBe(addressKey(other));
});

test.each([
  ['Astrid+1@lindqvist.example', 'astrid+2+3@lindqvist.example'],
  ['anna@Bücher.example', 'anna@xn--bcher-kva.example'],
])('mail to %j and to %j is counted together', (one, other) => {
  expect(mailboxKey(one)).toBe(mailboxKey(other));
});

test('mail to other addresses is counted separately', () => {
  const others = [
    'astrid@lindqvist.example',
    'as.trid@lindqvist.example',
    '+astrid@lindqvist.example',
    '+@lindqvist.example',
  ];
  expect(new Set(others.map(mailboxKey)).size).toBe(4);
});
