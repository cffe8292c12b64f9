// Tests that the file of a form is found wherever its chunks are cut, and that a damaged form is refused.

import { expect, test } from 'vitest';
import { multipartBoundary, readMultipart, sliceOf } from './multipart.ts';

const boundary = 'x-7';
const file = '--x-7x\r\n--x-\r\nline\r\n\r\n--x';
const form = [
  'preamble\r\n',
  '--x-7 \r\nContent-Disposition: form-data; name="client_id"\r\n\r\nabc\r\n',
  '--x-7\r\nContent-Disposition: form-data; name="empty"\r\n\r\n\r\n',
  `--x-7\r\ncontent-disposition: form-data; name="file"; filename="../etc/a \\"b\\".xml"\r\nContent-Type: text/xml\r\n\r\n${file.slice(6)}\r\n`,
  '--x-7--\r\nepilogue',
].join('');

async function read(text: string, cut = text.length) {
  const bytes = Buffer.from(text);
  const chunks: Buffer[] = [];
  for (let start = 0; start < bytes.length; start += cut) chunks.push(bytes.subarray(start, start + cut));
  const body = {
    async *chunks() {
      yield* chunks;
    },
  };
  const { fields, file: part } = await readMultipart(body, boundary);
  let content = '';
  if (part) for await (const chunk of sliceOf(body, part)) content += chunk.toString();
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

const part = (headers: string, content = '') =>
  `--x-7\r\nContent-Disposition: form-data; ${headers}\r\n\r\n${content}\r\n`;
/** A header of so many bytes, with the ends of the lines before it and within it. */
const longHeader = (bytes: number) => {
  const start = '\r\nContent-Disposition: form-data; name="a"; x="';
  return `--x-7${start}${'y'.repeat(bytes - start.length - 1)}"\r\n\r\n1\r\n`;
};
const end = '--x-7--\r\n';

test.each<[what: string, form: string, fields: readonly (readonly [string, string])[]]>([
  ['200 spaces after a boundary', `--x-7${' '.repeat(200)}${part('name="a"', '1').slice(5)}`, [['a', '1']]],
  ['a header of 8,192 bytes', longHeader(8_192), [['a', '1']]],
  ['a field of 4,096 bytes', part('name="a"', 'b'.repeat(4_096)), [['a', 'b'.repeat(4_096)]]],
  ['50 parts', part('name="a"', '1').repeat(50), [['a', '1']]],
  ['the last of two fields of one name', part('name="a"', '1') + part('name="a"', '2'), [['a', '2']]],
  ['a name without quotes', part('name=a', '1'), [['a', '1']]],
])('a form may have %s', async (_what, text, fields) => {
  for (const cut of [1, 199, 100_000])
    expect(await read(text + end, cut)).toEqual({ fields, fileName: undefined, content: '' });
});

test('a file that was not chosen has no name and no content', async () => {
  for (const cut of [1, 100_000])
    expect(await read(part('name="file"; filename=""') + end, cut)).toEqual({
      fields: [],
      fileName: null,
      content: '',
    });
});

test.each([
  ['ends early', form.slice(0, 200), 'it ends before its last boundary.'],
  ['has a part without a name', form.replace('; name="client_id"', ''), 'a part has no name.'],
  ['has a part without a header', '--x-7\r\n\r\n1\r\n', 'a part has no name.'],
  [
    'has two files',
    form.replace('name="client_id"', 'name="other"; filename="x"'),
    'it has several files. Import one at a time.',
  ],
  [
    'has a field as long as a file',
    part('name="a"', 'b'.repeat(4_097)),
    'a field has more than 4096 bytes. Send the file as a part with a file name.',
  ],
  ['has a header that is too long', longHeader(8_193), 'the header of a part is too long.'],
  [
    'has a header without an end',
    form.replace('name="client_id"\r\n\r\n', `name="${'a'.repeat(20_000)}`),
    'the header of a part is too long.',
  ],
  ['has words after a boundary', form.replace('--x-7 ', '--x-7 abc'), 'a boundary is followed by something else.'],
  [
    'has 201 spaces after a boundary',
    form.replace('--x-7 ', `--x-7${' '.repeat(201)}`),
    'a boundary is followed by something else.',
  ],
  ['has a boundary whose line has no end', `--x-7${' '.repeat(202)}`, 'a boundary is followed by something else.'],
  ['has 51 parts', part('name="a"', '1').repeat(51), 'it has more than 50 parts.'],
])('a form that %s is refused, wherever it is cut', async (_what, damaged, detail) => {
  for (const cut of [1, 50, 100_000])
    await expect(read(damaged + (damaged.startsWith('preamble') ? '' : end), cut)).rejects.toMatchObject({
      code: 'malformed-request',
      message: `The multipart body cannot be read: ${detail}`,
    });
});

test('the boundary is read from the media type, quoted or not', () => {
  expect(multipartBoundary('multipart/form-data; boundary=abc; charset=utf-8')).toBe('abc');
  expect(multipartBoundary('Multipart/Form-Data;boundary="a b"')).toBe('a b');
  expect(multipartBoundary('application/xml')).toBeUndefined();
  expect(() => multipartBoundary('multipart/form-data')).toThrow(/boundary/);
});
