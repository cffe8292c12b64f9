// Tests which connection makes room for another: by address before a caller is known, and for the whole node.

import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { CallerConnections } from './caller-connections.ts';

interface FakeSocket extends Socket {
  readonly name: string;
}

/** Connections by name, and the names of those that were closed for others. */
function connectionsWith(limits: { readonly perAddress: number; readonly perNode: number }, proxies: string[] = []) {
  const connections = new CallerConnections(limits, proxies);
  const closed: string[] = [];
  const open = (name: string, remoteAddress = '192.0.2.1') => {
    const socket = { name, remoteAddress, destroy: () => closed.push(name) } as unknown as FakeSocket;
    return { socket, refusal: connections.open(socket) };
  };
  return { connections, closed, open };
}

describe('an address whose connections are all unknown', () => {
  test('has as many as it may, and then a new one ends the one that has been idle for the longest', () => {
    const { connections, closed, open } = connectionsWith({ perAddress: 3, perNode: 100 });
    const [first, second] = ['a', 'b', 'c'].map((name) => open(name));
    expect(closed).toEqual([]);
    // Answered again: it has been idle for less long than the second.
    connections.beginRequest(first!.socket);
    connections.endRequest(first!.socket);
    expect(open('d').refusal).toBeUndefined();
    expect(closed).toEqual(['b']);
    // The end of a connection that was closed for another changes nothing.
    connections.close(second!.socket);
    expect(connections.figures).toEqual({ open: 3, unknown: 3, closed: 1, refused: { address: 0, node: 0 } });
  });

  test('is refused another only while each answers a request', () => {
    const { connections, closed, open } = connectionsWith({ perAddress: 2, perNode: 100 });
    const [first, second] = ['a', 'b'].map((name) => open(name).socket);
    for (const socket of [first!, second!]) connections.beginRequest(socket);
    // Two requests in one packet.
    connections.beginRequest(second!);
    expect(open('c').refusal).toBe('address');
    connections.endRequest(second!);
    expect(open('d').refusal).toBe('address');
    connections.endRequest(second!);
    expect(open('e').refusal).toBeUndefined();
    expect([closed, connections.figures.refused]).toEqual([['b'], { address: 2, node: 0 }]);
  });

  test('takes nothing from other addresses', () => {
    const { closed, open } = connectionsWith({ perAddress: 1, perNode: 100 });
    for (const address of ['192.0.2.1', '192.0.2.2', '2001:db8::1', '2001:db8:0:1::1']) open(address, address);
    expect(closed).toEqual([]);
    open('again', '192.0.2.1');
    expect(closed).toEqual(['192.0.2.1']);
  });

  test.each([
    ['an address of IPv4 as IPv6 writes it', '::ffff:192.0.2.1', '192.0.2.1'],
    ['the addresses of one network of IPv6', '2001:db8::1', '2001:db8::ffff:2'],
    ['a local address with its interface', 'fe80::1%eth0', 'fe80::1'],
  ])('counts %s as one', (_what, first, second) => {
    const { closed, open } = connectionsWith({ perAddress: 1, perNode: 100 });
    open('a', first);
    open('b', second);
    expect(closed).toEqual(['a']);
  });
});

test('a connection whose caller is known counts for its address no more', () => {
  const { connections, closed, open } = connectionsWith({ perAddress: 1, perNode: 100 });
  for (const name of ['a', 'b', 'c']) {
    const { socket, refusal } = open(name);
    expect(refusal).toBeUndefined();
    connections.beginRequest(socket);
    connections.know(socket);
    connections.know(socket);
    connections.endRequest(socket);
  }
  expect([closed, connections.figures.open, connections.figures.unknown]).toEqual([[], 3, 0]);
});

test.each([
  ['a proxy that is named', '10.0.0.5'],
  ['a proxy of a network that is named, as IPv6 writes it', '::ffff:10.1.2.3'],
  ['a proxy of IPv6', 'fd00::7'],
])('%s has no limit of its own', (_what, address) => {
  const limits = { perAddress: 1, perNode: 100 };
  const { closed, open } = connectionsWith(limits, ['10.0.0.5', '10.1.0.0/16', 'fd00::/8']);
  for (let count = 0; count < 5; count++) expect(open(String(count), address).refusal).toBeUndefined();
  expect(closed).toEqual([]);
});

test('a node that is full ends idle connections of unknown callers first, then of known ones, and refuses while all answer', () => {
  const { connections, closed, open } = connectionsWith({ perAddress: 100, perNode: 3 });
  const known = open('known', '127.0.0.1').socket;
  connections.know(known);
  const busy = open('busy').socket;
  connections.beginRequest(busy);
  open('idle');
  const next = open('next').socket;
  expect(closed).toEqual(['idle']);
  connections.beginRequest(next);
  const last = open('last', '127.0.0.1').socket;
  expect(closed).toEqual(['idle', 'known']);
  connections.beginRequest(last);
  expect(open('refused', '127.0.0.1').refusal).toBe('node');
  connections.close(busy);
  expect(open('after').refusal).toBeUndefined();
  expect(connections.figures).toEqual({ open: 3, unknown: 3, closed: 2, refused: { address: 0, node: 1 } });
});

test('this machine may be a proxy while none is named, and is an address like others once proxies are', () => {
  for (const [proxies, expected] of [
    [[], []],
    [['10.0.0.5'], ['127.0.0.1', '::1']],
  ]) {
    const { closed, open } = connectionsWith({ perAddress: 1, perNode: 100 }, proxies);
    for (const address of ['127.0.0.1', '::1']) for (const _ of [1, 2]) open(address, address);
    expect(closed).toEqual(expected);
  }
});

test('nothing is kept of an address without connections', () => {
  const { connections, open } = connectionsWith({ perAddress: 1, perNode: 100 });
  for (let count = 0; count < 3; count++) {
    const { socket, refusal } = open('a');
    expect(refusal).toBeUndefined();
    connections.beginRequest(socket);
    connections.close(socket);
    connections.endRequest(socket);
  }
  expect(connections.figures).toEqual({ open: 0, unknown: 0, closed: 0, refused: { address: 0, node: 0 } });
});
