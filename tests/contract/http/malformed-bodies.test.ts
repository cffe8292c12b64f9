// Malformed bodies to every operation that takes one: always refused in the format of the wire, with a pointer to the fault, in
// bounded time, and nothing is written.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Operation } from '../../../src/surfaces/http/operation/operation.ts';
import { BodySender, bodyOperations, faultsInWireFormat, inTurn } from '../../setup/http/body-sender.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { rawHead, sendRaw } from '../../setup/http/raw-request.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';

const limitBytes = 1024 * 1024;

const service = workspaceForThisFile();
let admin: Caller;
let sender: BodySender;

beforeAll(async () => {
  ({ admin } = service);
  sender = await BodySender.create(service);
});

const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

describe('text that is not JSON, or JSON that cannot be stored', () => {
  const horrors: [what: string, body: string | Uint8Array, pointer?: string][] = [
    ['1,000,000 brackets', '['.repeat(1_000_000)],
    ['1,000,000 brackets that close', '['.repeat(500_000) + ']'.repeat(500_000)],
    ['150,000 nested objects', '{"a":'.repeat(150_000)],
    ['33 levels', '{"a":'.repeat(33) + '1' + '}'.repeat(33)],
    ['white space', ' \n\t '],
    ['two documents', '{}{}'],
    ['a document and a half', '{"a":1}{'],
    ['no end', '{"a":1'],
    ['an unclosed string', '{"a":"'],
    ['a trailing comma', '{"a":1,}'],
    ['single quotes', "{'a':1}"],
    ['a comment', '{"a":1/* */}'],
    ['NaN', '{"a":NaN}'],
    ['Infinity', '{"a":-Infinity}'],
    ['a hexadecimal number', '{"a":0x10}'],
    ['a leading zero', '{"a":01}'],
    ['a plus sign', '{"a":+1}'],
    ['a bare point', '{"a":.5}'],
    ['a form', 'name=Rivera&parent_id='],
    ['XML', '<client><name>Rivera</name></client>'],
    ['a byte order mark', bytes([0xef, 0xbb, 0xbf], '{}')],
    ['UTF-16', Buffer.from('{"a":1}', 'utf16le')],
    ['invalid UTF-8', bytes('{"a":"', [0xff], '"}')],
    ['overlong UTF-8', bytes('{"a":"', [0xc0, 0x80], '"}')],
    ['a cut character', bytes('{"a":"', [0xe2, 0x82], '"}')],
    ['half a surrogate pair as bytes', bytes('{"a":"', [0xed, 0xa0, 0x80], '"}')],
    ['half a surrogate pair as an escape', '{"a":"\\ud800"}', '/a'],
    ['the second half alone', '{"a":["x","\\udc00"]}', '/a/1'],
    ['two first halves', '{"a":"\\ud800\\ud800"}', '/a'],
    ['a surrogate pair in the wrong order', '{"a":"\\udc00\\ud800"}', '/a'],
    ['NUL as a byte', '{"a":"\0"}', '/a'],
    ['NUL as an escape', '{"a":"\\u0000"}', '/a'],
    ['NUL in a name', '{"\\u0000":1}'],
    ['NUL outside of strings', '{"a":1}\0'],
    ['a raw line break in a string', '{"a":"\n"}', '/a'],
    ['a bad escape', '{"a":"\\x41"}'],
    ['a member twice', '{"a":1,"a":2}', '/a'],
    ['a member twice, once escaped', '{"a":1,"\\u0061":2}', '/a'],
    ['a member twice, deep down', '{"a":[{"b":{"c":1,"c":1}}]}', '/a/0/b/c'],
    ['a number of 401 digits', `{"a":${'9'.repeat(401)}}`, '/a'],
    ['a number of a million digits', `{"a":${'9'.repeat(1_000_000)}}`, '/a'],
  ];

  test.each(bodyOperations)('%s', async (_id, operation) => {
    for (const [what, body, pointer] of inTurn(horrors, operation, 5)) {
      const faults = faultsInWireFormat(operation, await sender.send(operation, body));
      const reportedPointer = pointer === undefined ? undefined : faults[0]!.pointer;
      expect([what, faults[0]!.code, reportedPointer]).toEqual([what, 'malformed-json', pointer]);
    }
    expect(await sender.countWritesOfRefused()).toBe(0);
  });

  test.each(bodyOperations)('%s without a body', async (_id, operation) => {
    const { method, wire } = operation;
    const nothing = await sender.callerFor(operation).send(sender.pathOf(operation), { method });
    expect(nothing.status).toBe(400);
    expect(nothing.headers.get('content-type')).toBe(wire.problemMediaType);
    expect((await sender.send(operation, new Uint8Array())).status).toBe(400);
  });
});

describe('JSON of another shape', () => {
  const inherited = [
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'valueOf',
    '__defineGetter__',
    'prototype',
  ];

  test.each(bodyOperations)('%s accepts only an object', async (_id, operation) => {
    const others = ['null', 'true', 'false', '0', '1e400', '""', '"data"', '[]', '[{}]', '[null]'];
    for (const body of inTurn(others, operation, 3)) {
      const reply = await sender.send(operation, body);
      expect([body, reply.status]).toEqual([body, 422]);
      expect(faultsInWireFormat(operation, reply)[0]!.pointer).toBe(operation.wire.name === 'json-api' ? '/data' : '');
    }
    expect(await sender.countWritesOfRefused()).toBe(0);
  });

  test.each(bodyOperations)(
    '%s refuses unknown members, including names that objects inherit',
    async (_id, operation) => {
      const example = sender.exampleBodyFor(operation);
      const parents =
        operation.wire.name === 'json-api' ? ['', '/data', '/data/attributes', '/data/relationships'] : [''];
      for (const parent of parents) {
        for (const name of inTurn([...inherited, 'ünknown', 'a/b~c', '', '💣', 'x'.repeat(10_000)], operation, 3)) {
          const reply = await sender.send(operation, withMember(example, parent, name));
          const pointer = `${parent}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
          expect([parent, name, reply.status]).toEqual([parent, name, 422]);
          expect(faultsInWireFormat(operation, reply)).toEqual([
            expect.objectContaining({ code: 'unknown-attribute', pointer }),
          ]);
        }
      }
      expect(await sender.countWritesOfRefused()).toBe(0);
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    },
  );

  /** Built as text, since an object literal would not keep `__proto__` as a member. */
  function withMember(example: object, parent: string, name: string): string {
    const marked = structuredClone(example) as any;
    const at = parent
      .split('/')
      .slice(1)
      .reduce((object, part) => (object[part] ??= {}), marked);
    at['\u{10ffff}'] = { polluted: true };
    return JSON.stringify(marked).replace('"\u{10ffff}"', () => JSON.stringify(name));
  }

  test.each(bodyOperations)('%s reports 100 of 4,900 faults', async (_id, operation) => {
    const many = Array.from({ length: 4_900 }, (_, index) => `"a${index}":0`).join();
    const reply = await sender.send(
      operation,
      operation.wire.name === 'json-api' ? `{"data":{},${many}}` : `{${many}}`,
    );
    expect(reply.status).toBe(422);
    expect(faultsInWireFormat(operation, reply)).toHaveLength(100);
    expect(reply.text.length).toBeLessThan(50_000);
  });
});

describe('size', () => {
  /** The example body with an unknown member that pads it to this many bytes. */
  function filledTo(operation: Operation, size: number): string {
    const frame = JSON.stringify({ ...sender.exampleBodyFor(operation), filling: '' });
    return frame.replace('"filling":""', `"filling":"${'x'.repeat(size - Buffer.byteLength(frame))}"`);
  }

  test.each(bodyOperations)('%s accepts a body of 1 MiB, and refuses one more byte', async (_id, operation) => {
    const body = filledTo(operation, limitBytes);
    expect(Buffer.byteLength(body)).toBe(limitBytes);
    const read = await sender.send(operation, body);
    expect([read.status, faultsInWireFormat(operation, read)[0]!.code]).toEqual([422, 'unknown-attribute']);
    const tooLarge = await sender.send(operation, `${body} `);
    expect(tooLarge.status).toBe(413);
    faultsInWireFormat(operation, tooLarge);
  });

  const chunk = (size: number): string => `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`;

  test.each(bodyOperations)('%s stops reading chunks beyond 1 MiB', async (_id, operation) => {
    const { method, wire } = operation;
    const headers = {
      authorization: `Bearer ${sender.callerFor(operation).token}`,
      'content-type': wire.mediaType,
      'transfer-encoding': 'chunked',
    };
    const chunks = Array.from({ length: 17 }, () => chunk(64 * 1024));
    const path = sender.pathOf(operation);
    const reply = await sendRaw(admin.address, rawHead(method, path, headers), ...chunks, '0\r\n\r\n');
    expect([reply.status, reply.headers.get('content-type')]).toEqual([413, wire.problemMediaType]);
    expect(reply.body).toContain('body-too-large');
  });

  test('a large body is announced and refused before it is sent', async () => {
    const headers = {
      authorization: `Bearer ${admin.token}`,
      'content-type': 'application/json',
      'content-length': '999999999999',
    };
    expect((await sendRaw(admin.address, rawHead('POST', '/v1/clients', headers))).status).toBe(413);
  });
});
