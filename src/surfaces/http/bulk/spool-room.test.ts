// Tests how the room for large bodies is shared, and that it is given back however a body ends.

import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { SpoolRoom } from './spool-room.ts';
import { Spool } from './spool.ts';

const full = { code: 'spool-full', retryAfterSeconds: 10 };
const bodyOf = (bytes: number): Readable => Readable.from([Buffer.alloc(bytes)]);

test('a workspace takes all of the room with one body, and half of it with several', () => {
  const room = new SpoolRoom(100);
  const first = room.enter('a');
  first.add(60);
  const second = room.enter('a');
  expect(() => second.add(1)).toThrow('The bodies that this workspace sends at the same time take half of the room');
  second.leave();
  first.add(40);
  expect([room.bytes, room.refused]).toEqual([100, 1]);
});

test('other workspaces have the room that is left, and are refused when there is none', () => {
  const room = new SpoolRoom(100);
  const [first, second, other] = [room.enter('a'), room.enter('a'), room.enter('b')];
  first.add(30);
  second.add(20);
  expect(() => first.announce(1)).toThrow(expect.objectContaining(full));
  other.announce(50);
  other.add(50);
  expect(() => other.add(1)).toThrow('The bodies that are arriving take all the room of this node.');
  second.leave();
  second.leave();
  other.add(20);
  expect([room.bytes, room.refused]).toEqual([100, 2]);
});

test('a body that announces more than there is room for is refused before anything of it is read', async () => {
  const room = new SpoolRoom(100);
  const body = bodyOf(10);
  const limits = { announcedBytes: 101, bytesMax: 1_000, share: room.enter('a') };
  await expect(Spool.receive(body, limits)).rejects.toMatchObject(full);
  expect([body.readableFlowing, room.bytes]).toEqual([null, 0]);
});

test.each([
  ['that becomes too long', () => bodyOf(200), { bytesMax: 150 }, 'body-too-large'],
  ['that finds no room', () => bodyOf(1_001), {}, 'spool-full'],
  [
    'that ends early',
    () =>
      Readable.from(
        (async function* () {
          yield Buffer.alloc(10);
          throw new Error('gone');
        })(),
      ),
    {},
    'malformed-request',
  ],
])('a body %s gives its room back', async (_what, body, more, code) => {
  const room = new SpoolRoom(1_000);
  const limits = { announcedBytes: 0, bytesMax: 10_000, ...more, share: room.enter('a') };
  await expect(Spool.receive(body(), limits)).rejects.toMatchObject({ code });
  expect(room.bytes).toBe(0);
  const share = room.enter('a');
  share.add(1_000);
});

test('a body that was received keeps its room until it is discarded', async () => {
  const room = new SpoolRoom(1_000);
  const spool = await Spool.receive(bodyOf(400), { announcedBytes: 0, bytesMax: 1_000, share: room.enter('a') });
  expect(room.bytes).toBe(400);
  await spool.discard();
  expect(room.bytes).toBe(0);
});
