// Tests that the file of a form is found wherever its chunks are cut, and that a damaged form is refused.

import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { multipartBoundary, readMultipart, sliceOf } from './multipart.ts';
import { Spool } from './spool.ts';

const boundary = 'x-7';
const file = '--x-7x\r\n--x-\r\nline\r\n\r\n--x';
const form = [
  'preamble\r\n',
  '--x-7 \r\nContent-Disposition: form-data; name="client_id"\r\n\r\nabc\r\n',
  '--x-7\r\nContent-Disposition: form-data; name="empty"\r\n\r\n\r\n',
  `--x-7\r\ncontent-disposition: form-data; name="file"; filename="../etc/a \\"b\\".xml"\r\nContent-Type: text/xml\r\n\r\n${file.slice(6)}\r\n`,
  '--x-7--\r\nepilogue',
].join('');

async function read(body: string, cut = body.length) {
  const bytes = Buffer.from(body);
  const chunks: Buffer[] = [];
  for (let start = 0; start < bytes.length; start += cut) chunks.push(bytes.subarray(start, start + cut));
  const spool = await Spool.receive(Readable.from(chunks), { announcedBytes: 0, bytesMax: 1_000_000 });
  const { fields, file: part } = await readMultipart(spool, boundary);
  let content = '';
  if (part) for await (const chunk of sliceOf(spool, part)) content += chunk.toString();
  return { fields: [...fields], fileName: part?.fileName, content };
}

test.each([1, 2, 3, 7, 64, 100_000])('a form in chunks of %i bytes gives its fields and its file', async (cut) => {
  expect(await read(form, cut)).toEqual({
    fields: [
      ['client_id', 'abc'],
      ['empty', ''],
    ],
    fileName: 'a "b".xml',
    content: file.slice(6),
  });
});

test.each([
  ['ends early', form.slice(0, 200)],
  ['has a part without a name', form.replace('; name="client_id"', '')],
  ['has two files', form.replace('name="client_id"', 'name="other"; filename="x"')],
  ['has a field as long as a file', form.replace('abc', 'a'.repeat(5_000))],
  ['has a header without an end', form.replace('name="client_id"\r\n\r\n', `name="${'a'.repeat(20_000)}`)],
])('a form that %s is refused', async (_what, damaged) => {
  await expect(read(damaged, 50)).rejects.toMatchObject({ code: 'malformed-request' });
});

const part = (header: string, value = ''): string => `--x-7\r\n${header}\r\n\r\n${value}\r\n`;
const field = (name: string, value = ''): string => part(`Content-Disposition: form-data; name="${name}"`, value);
const fields = (count: number): string => Array.from({ length: count }, (_, index) => field(`n${index}`)).join('');
/** The bytes that a header has, from the end of the boundary's line to its own. */
const headerOf = (length: number): string =>
  'Content-Disposition: form-data; name="a"\r\nX: '.padEnd(length - '\r\n'.length, 'x');

test.each([
  ['parts', 50, fields(50), fields(51), 'it has more than 50 parts.'],
  ['bytes of a field', 4_096, field('a', 'x'.repeat(4_096)), field('a', 'x'.repeat(4_097)), 'a field has more than'],
  ['bytes of a header', 8_192, part(headerOf(8_192)), part(headerOf(8_193)), 'the header of a part is too long.'],
])('a form may have as many %s as %i', async (_what, _count, allowed, refused, fault) => {
  for (const cut of [1_000, 100_000]) {
    expect((await read(`${allowed}--x-7--\r\n`, cut)).fields.length).toBeGreaterThan(0);
    await expect(read(`${refused}--x-7--\r\n`, cut)).rejects.toThrow(fault);
  }
});

test('the boundary is read from the media type, quoted or not', () => {
  expect(multipartBoundary('multipart/form-data; boundary=abc; charset=utf-8')).toBe('abc');
  expect(multipartBoundary('Multipart/Form-Data;boundary="a b"')).toBe('a b');
  expect(multipartBoundary('application/xml')).toBeUndefined();
  expect(() => multipartBoundary('multipart/form-data')).toThrow(/boundary/);
});
