import { expect, test } from 'vitest';
import { isPublicHost } from './public-host.ts';

test.each([
  ['127.0.0.1', false],
  ['::1', false],
  ['[::1]', false],
  ['10.1.2.3', false],
  ['172.16.0.1', false],
  ['192.168.1.5', false],
  ['fd00::1', false],
  ['localhost', false],
  ['app.localhost', false],
  ['holdfast', false],
  ['holdfast.internal', false],
  ['wealth.example', false],
  ['wealth.test', false],
  ['0.0.0.0', true],
  ['::', true],
  ['[::]', true],
  ['8.8.8.8', true],
  ['2606:4700::1', true],
  ['wealth.example.com', true],
  ['Holdfast.DEV', true],
  ['testing', false],
  ['contest.org', true],
])('%s can be reached from outside: %s', (host, isPublic) => {
  expect(isPublicHost(host)).toBe(isPublic);
});
