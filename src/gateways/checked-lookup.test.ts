// How names are resolved for addresses that others have chosen, with a name server on this machine.

import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { LookupOptions } from 'node:dns';
import { checkedLookup, makeLookup, resolvePublic } from './checked-lookup.ts';

const types = { 1: 'ipv4', 28: 'ipv6' } as const;
type Family = (typeof types)[keyof typeof types];

/** The bytes of an address, or the code of a failure (RFC 1035, section 4.1.1). */
type Answer = Buffer | number;

/** Returns a resolver that asks a server with these answers. */
async function resolverWith(answers: Readonly<Record<Family, Answer>>): Promise<Resolver> {
  const socket = createSocket('udp4', (query, { port, address }) => {
    const end = query.indexOf(0, 12) + 5;
    const type = query.readUInt16BE(end - 4);
    const answer = answers[type === 1 ? types[1] : types[28]];
    const header = Buffer.from(query.subarray(0, 12));
    const data = typeof answer === 'number' ? [] : [answer];
    header.writeUInt16BE(0x8180 | (typeof answer === 'number' ? answer : 0), 2);
    [1, data.length, 0, 0].forEach((count, index) => header.writeUInt16BE(count, 4 + 2 * index));
    const records = data.map((bytes) =>
      Buffer.concat([Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length]), bytes]),
    );
    socket.send(Buffer.concat([header, query.subarray(12, end), ...records]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  const resolver = new Resolver({ tries: 1 });
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return resolver;
}

const ipv4 = Buffer.from([192, 0, 2, 7]);
const ipv6 = Buffer.from([0x20, 0x01, 0x0d, 0xb8, ...Array(11).fill(0), 7]);
const [serverFailure, nameError] = [2, 3];

test('a name may have addresses of one family or of both', async () => {
  const resolved = async (answers: Readonly<Record<Family, Answer>>): Promise<string[]> =>
    resolvePublic(await resolverWith(answers), 'receiver.example');
  expect(await resolved({ ipv4, ipv6 })).toEqual(['192.0.2.7', '2001:db8::7']);
  expect(await resolved({ ipv4, ipv6: nameError })).toEqual(['192.0.2.7']);
  expect(await resolved({ ipv4: serverFailure, ipv6 })).toEqual(['2001:db8::7']);
});

test.each([
  [serverFailure, 'ESERVFAIL'],
  [nameError, 'ENOTFOUND'],
])('a name without any fails as the name server said: %d', async (failure, code) => {
  const resolver = await resolverWith({ ipv4: failure, ipv6: failure });
  await expect(resolvePublic(resolver, 'receiver.example')).rejects.toMatchObject({ code });
});

/** What a connection is given: the failure, or the arguments after it. */
async function lookedUp(addresses: readonly string[], options: LookupOptions): Promise<unknown> {
  const lookup = checkedLookup({
    resolve: (name) => (name === 'receiver.example' ? Promise.resolve(addresses) : Promise.reject(new Error(name))),
    isAllowed: (address) => !address.startsWith('10.'),
  });
  let answer: unknown = 'nothing';
  lookup('receiver.example', options, (error, ...found) => {
    answer = error ?? found;
  });
  // Nothing that it waits for outlasts this turn of the event loop.
  await setImmediate();
  return answer;
}

test.each<[what: string, options: LookupOptions, found: unknown]>([
  [
    'all',
    { all: true },
    [
      [
        { address: '192.0.2.7', family: 4 },
        { address: '2001:db8::7', family: 6 },
      ],
    ],
  ],
  ['the first', {}, ['192.0.2.7', 4]],
])('a connection gets %s of the addresses, with their families', async (_what, options, found) => {
  expect(await lookedUp(['192.0.2.7', '2001:db8::7'], options)).toEqual(found);
});

test('in development the system resolves names of this machine', async () => {
  const found = Promise.withResolvers<unknown>();
  makeLookup({ allowPrivate: true })('localhost', {}, (error, address) => found.resolve(error ?? address));
  expect(['127.0.0.1', '::1']).toContain(await found.promise);
});

test.each<LookupOptions>([{ all: true }, {}])(
  'a name with one address that is not allowed, or with none, gives no connection: %j',
  async (options) => {
    expect(await lookedUp(['192.0.2.7', '10.0.0.1'], options)).toMatchObject({
      name: 'AddressRefused',
      code: 'ADDRESS_REFUSED',
      message: 'The name resolves to a private or reserved address.',
    });
    expect(await lookedUp([], options)).toMatchObject({ code: 'ENOTFOUND', message: 'The name has no address.' });
  },
);
