// Whether a secret is warned about before it is sent.

import { expect, test } from 'vitest';
import { isReadableOnTheWay } from './login.ts';

test.each([
  ['http://127.0.0.1:8080', false],
  ['http://localhost:8080', false],
  ['http://[::1]:8080', false],
  ['https://api.example.com', false],
  ['http://api.example.com', true],
  ['http://localhost.example.com', true],
  ['http://10.0.0.7:8080', true],
])('a secret that is sent to %s can be read on the way: %s', (address, isReadable) => {
  expect(isReadableOnTheWay(address)).toBe(isReadable);
});
