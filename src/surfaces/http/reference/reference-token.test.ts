import { describe, expect, test } from 'vitest';
import { Refusal } from '../../../kit/refusal.ts';
import type { ParsedOpenRequest } from '../operation/open-operation.ts';
import { demoDocument, referenceToken } from './reference-token.ts';

const issued = { accessToken: 'a.b.c', expiresInSeconds: 3_600, rights: [] };

/** As the browser sends it for the page at http://127.0.0.1:8080/docs. */
const ofThePage = {
  address: '127.0.0.1',
  headers: { host: '127.0.0.1:8080', origin: 'http://127.0.0.1:8080', 'sec-fetch-site': 'same-origin' },
};

async function request(
  sent: { address?: string; headers?: object },
  issue = async () => issued as typeof issued | undefined,
) {
  const parsed = {
    ...ofThePage,
    ...(sent.address === undefined ? {} : { address: sent.address }),
    headers: { ...ofThePage.headers, ...sent.headers },
  } as ParsedOpenRequest;
  try {
    return await referenceToken(issue).handle(parsed);
  } catch (error) {
    return error instanceof Refusal ? error.code : error;
  }
}

describe('a token for the page of the reference', () => {
  test.each([
    ['the page itself', {}],
    ['the page, by name', { headers: { host: 'localhost:8080', origin: 'http://localhost:8080' } }],
    ['the page, by IPv6', { address: '::1', headers: { host: '[::1]:8080', origin: 'http://[::1]:8080' } }],
    ['the page, through a socket for both', { address: '::ffff:127.0.0.1' }],
  ])('is given to %s, and kept by nobody', async (_who, sent) => {
    expect(await request(sent)).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'no-store' },
      text: '{"access_token":"a.b.c"}',
    });
  });

  test.each([
    ['another machine', { address: '192.168.1.5' }],
    [
      'a name that leads here, such as one that an attacker owns',
      { headers: { host: 'rebound.example:8080', origin: 'http://rebound.example:8080' } },
    ],
    [
      'a name that begins like this machine',
      { headers: { host: '127.0.0.1.rebound.example', origin: 'http://127.0.0.1.rebound.example' } },
    ],
    ['a page of another origin', { headers: { origin: 'https://other.example', 'sec-fetch-site': 'cross-site' } }],
    [
      'another service of this machine',
      { headers: { origin: 'http://127.0.0.1:3000', 'sec-fetch-site': 'same-site' } },
    ],
    ['a page without an origin', { headers: { origin: 'null' } }],
    ['a browser that does not say where it comes from', { headers: { 'sec-fetch-site': undefined } }],
    ['somebody behind a proxy', { headers: { 'x-forwarded-for': '203.0.113.9' } }],
    ['somebody behind a proxy that follows RFC 7239', { headers: { forwarded: 'for=203.0.113.9' } }],
  ])('is not given to %s: there is no such path', async (_who, sent) => {
    expect(await request(sent)).toBe('path-not-found');
  });

  test('does not exist without a demo', async () => {
    expect(await request({}, async () => undefined)).toBe('path-not-found');
  });

  test('comes with the answers of the demo, which are kept from others as well', async () => {
    const { handle } = demoDocument(async () => '{"paths":{}}');
    expect(await handle(ofThePage as ParsedOpenRequest)).toMatchObject({
      headers: { 'cache-control': 'no-store' },
      text: '{"paths":{}}',
    });
    const elsewhere = { ...ofThePage, headers: { ...ofThePage.headers, host: 'rebound.example:8080' } };
    await expect(handle(elsewhere as ParsedOpenRequest)).rejects.toThrow('There is no such path');
    await expect(demoDocument(async () => undefined).handle(ofThePage as ParsedOpenRequest)).rejects.toThrow(
      'There is no such path',
    );
  });
});
