// Checks who counts as a program on this machine that calls the service directly.

import { expect, test } from 'vitest';
import { isFromThisMachine, isLoopback } from './loopback.ts';

test.each([
  ['127.0.0.1', true],
  ['127.8.0.1', true],
  ['::1', true],
  ['[::1]', true],
  ['localhost', true],
  ['0.0.0.0', false],
  ['::', false],
  ['10.0.0.1', false],
  ['127.0.0.1.example', false],
  ['localhost.example', false],
])('%s means this machine: %s', (host, isHere) => {
  expect(isLoopback(host)).toBe(isHere);
});

const direct = { address: '127.0.0.1', headers: { host: 'localhost:8080' } };

test.each([
  ['a direct call', direct, true],
  ['a direct call over IPv6', { address: '::1', headers: { host: '[::1]:8080' } }, true],
  ['a call from another machine', { ...direct, address: '10.0.0.5' }, false],
  ['a browser that was led here by another name', { ...direct, headers: { host: 'rebound.example:8080' } }, false],
  ['no host', { ...direct, headers: {} }, false],
  ...['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'].map(
    (name) =>
      [`a proxy that sends ${name}`, { ...direct, headers: { ...direct.headers, [name]: 'x' } }, false] as const,
  ),
] as const)('%s: %j comes from this machine: %s', (_what, request, isHere) => {
  expect(isFromThisMachine(request)).toBe(isHere);
});
