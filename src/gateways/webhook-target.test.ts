// Checks which URLs may be registered, in production and in development.

import { describe, expect, test } from 'vitest';
import { checkTarget, hostWithoutBrackets, TargetFault, targetLengthMax } from './webhook-target.ts';

function verdict(url: string, allowPrivate: boolean): string {
  try {
    return checkTarget(url, { allowPrivate }).href;
  } catch (error) {
    if (!(error instanceof TargetFault)) throw error;
    return error.message;
  }
}

const notAnAddress = 'This is not a URL that begins with https://.';
const privateAddress = 'This address is private or reserved. Use a public address.';
const privateName = 'This name belongs to a private network. Use a public name.';
const credentials = 'The URL must not contain a user name or a password: deliveries are signed instead.';
const fragment = 'The URL must not contain a fragment (#), which would never be sent.';
const spaces = 'The URL must not contain spaces, control characters or backslashes.';
const port = 'The port of a webhook must be 443, or 1024 or higher.';

describe('in production', () => {
  test.each([
    'https://receiver.example/hooks?tenant=1',
    'https://receiver.example:8443/',
    'https://receiver.example:1024/',
    'https://8.8.8.8/',
    'https://[2606:4700::1]/',
    'https://receiver.example/'.padEnd(targetLengthMax, 'x'),
  ])('%s is accepted', (url) => {
    expect(verdict(url, false)).toBe(url);
  });

  test.each([
    ['http://receiver.example/', 'The URL of a webhook must begin with https://.'],
    ['https://receiver.example:25/', port],
    ['https://receiver.example:80/', port],
    ['https://receiver.example:1023/', port],
    ['https://127.0.0.1/', privateAddress],
    ['https://2130706433/', privateAddress],
    ['https://0x7f.1/', privateAddress],
    ['https://017700000001/', privateAddress],
    ['https://127.1/', privateAddress],
    ['https://１２７.０.０.１/', privateAddress],
    ['https://[::1]/', privateAddress],
    ['https://[::ffff:169.254.169.254]/latest', privateAddress],
    ['https://[64:ff9b::7f00:1]/', privateAddress],
    ['https://169.254.169.254/latest', privateAddress],
    ['https://localhost/', privateName],
    ['https://localhost./', privateName],
    ['https://app.LOCALHOST/', privateName],
    ['https://printer.local/', privateName],
    ['https://metadata.google.internal/', privateName],
    ['https://database/', privateName],
    ['https://router.home.arpa/', privateName],
  ])('%s is refused: %s', (url, sentence) => {
    expect(verdict(url, false)).toBe(sentence);
  });

  test('a name that only resembles a private one is accepted', () => {
    expect(verdict('https://mylocalhost.example/', false)).toBe('https://mylocalhost.example/');
    expect(verdict('https://local.example/', false)).toBe('https://local.example/');
  });
});

test.each(['http://127.0.0.1:3000/hooks', 'http://localhost:25/', 'https://[::1]/', 'http://database/'])(
  'in development %s is accepted',
  (url) => {
    expect(verdict(url, true)).toBe(url);
  },
);

describe('in production and in development', () => {
  test.each([
    ['', notAnAddress],
    ['receiver.example', notAnAddress],
    ['//receiver.example/', notAnAddress],
    ['https:receiver.example', notAnAddress],
    ['https:///receiver.example', notAnAddress],
    ['ftp://receiver.example/', notAnAddress],
    ['file:///etc/passwd', notAnAddress],
    ['javascript:alert(1)', notAnAddress],
    ['https://', notAnAddress],
    ['https://receiver.example:99999/', notAnAddress],
    ['https://[::1', notAnAddress],
    ['https://receiver.example:0/', 'The port must not be 0.'],
    ['https://user@receiver.example/', credentials],
    ['https://user:secret@receiver.example/', credentials],
    ['https://:secret@receiver.example/', credentials],
    ['https://receiver.example/#part', fragment],
    ['https://receiver.example/#', fragment],
    [' https://receiver.example/', spaces],
    ['https://receiver.example/a b', spaces],
    ['https://receiver.example\\@127.0.0.1/', spaces],
    ['https://recei\tver.example/', spaces],
    ['https://receiver.example/\r\nHost: x', spaces],
    [
      'https://receiver.example/'.padEnd(targetLengthMax + 1, 'x'),
      `The URL may have at most ${targetLengthMax} characters.`,
    ],
  ])('%s is refused: %s', (url, sentence) => {
    expect([verdict(url, false), verdict(url, true)]).toEqual([sentence, sentence]);
  });
});

test('the host of an IPv6 address has no brackets', () => {
  expect(hostWithoutBrackets(new URL('https://[2606:4700::1]:8443/'))).toBe('2606:4700::1');
});
