// Files that take longer than a browser should wait: who sees how far they are, how often they are made, and how much of them is kept.

import { expect, test } from 'vitest';
import { idFromRow } from '../../../kit/id.ts';
import { FileWork, type FileProgress, type FoundFile, type TableFile } from './file-work.ts';

const first = { workspaceId: idFromRow('a'.repeat(24)), environment: 'production' } as const;
const second = { workspaceId: idFromRow('b'.repeat(24)), environment: 'production' } as const;

function fileOf(text: string): TableFile {
  return { file: [Buffer.from(text)], mediaType: 'text/csv', name: 'a.csv' };
}

/** A file that is made when the test says so. */
function slowFile() {
  const { promise, resolve, reject } = Promise.withResolvers<TableFile>();
  let progress: FileProgress = { noteRows() {}, noteBytes() {} };
  let begun = 0;
  const make = (given: FileProgress): Promise<TableFile> => {
    begun++;
    progress = given;
    return promise;
  };
  return {
    make,
    resolve,
    reject,
    noteRows: (count: number) => progress.noteRows(count),
    noteBytes: (count: number) => progress.noteBytes(count),
    begun: () => begun,
  };
}

const impatient = { isPatient: false, isTaken: false } as const;
const patient = { isPatient: true, isTaken: true } as const;

test('a file under way tells its rows, is made once, and is there for its own key alone', async () => {
  const files = new FileWork({ waitMs: 0 });
  const slow = slowFile();
  const get = (tenant: typeof first | typeof second, key: string): Promise<FoundFile> =>
    files.get(tenant, key, { make: slow.make, ...impatient });
  expect(await get(first, 'a')).toEqual({ rows: 0 });
  slow.noteRows(1_200);
  expect(await get(first, 'a')).toEqual({ rows: 1_200 });
  expect(slow.begun()).toBe(1);
  expect(await get(second, 'a')).toEqual({ rows: 0 });
  expect(slow.begun()).toBe(2);
  slow.resolve(fileOf('x'));
  const other = { make: async () => fileOf('other'), ...patient };
  await expect.poll(() => get(first, 'a')).toEqual({ file: fileOf('x'), isNew: false });
  expect(await files.get(first, 'b', other)).toEqual({ file: fileOf('other'), isNew: true });
});

test('why a file could not be made is told once; then it is tried again', async () => {
  const files = new FileWork({ waitMs: 0 });
  const slow = slowFile();
  expect(await files.get(first, 'a', { make: slow.make, ...impatient })).toEqual({ rows: 0 });
  slow.reject(new Error('Too many rows.'));
  const again = { make: async () => fileOf('x'), ...patient };
  await expect(files.get(first, 'a', again)).rejects.toThrow('Too many rows.');
  expect(await files.get(first, 'a', again)).toEqual({ file: fileOf('x'), isNew: true });
});

test('a workspace makes two at a time and keeps few more waiting; others do not wait for them', async () => {
  const files = new FileWork({ waitMs: 0 });
  const slow = slowFile();
  for (let number = 0; number < 10; number++) await files.get(first, `${number}`, { make: slow.make, ...impatient });
  expect(slow.begun()).toBe(2);
  await expect(files.get(first, 'more', { make: slow.make, ...impatient })).rejects.toMatchObject({
    code: 'too-many-in-flight',
  });
  const quick = { make: async () => fileOf('x'), ...patient };
  expect(await files.get(second, 'a', quick)).toEqual({ file: fileOf('x'), isNew: true });
  slow.resolve(fileOf('y'));
  expect(await files.get(first, '9', quick)).toEqual({ file: fileOf('y'), isNew: false });
});

test('what is kept is bounded: the oldest file goes first, and after a while each', async () => {
  const files = new FileWork({ waitMs: 0, keptBytesMax: 10 });
  const make = (text: string) => ({ make: async () => fileOf(text), ...patient });
  const [one, other] = [slowFile(), slowFile()];
  await files.get(first, 'a', { make: one.make, ...impatient });
  await files.get(second, 'b', { make: other.make, ...impatient });
  one.resolve(fileOf('123456'));
  await expect.poll(() => files.get(first, 'a', { make: one.make, ...impatient })).toMatchObject({ isNew: false });
  other.resolve(fileOf('123456'));
  await expect.poll(() => files.get(second, 'b', { make: other.make, ...impatient })).toMatchObject({ isNew: false });
  expect(await files.get(first, 'a', make('new'))).toMatchObject({ isNew: true });
  const brief = new FileWork({ waitMs: 0, keptMs: 0 });
  const late = slowFile();
  await brief.get(first, 'a', { make: late.make, ...impatient });
  late.resolve(fileOf('old'));
  await expect.poll(() => brief.get(first, 'a', make('new'))).toMatchObject({ isNew: true });
});

test('a file that was handed over is made anew for whoever asks again', async () => {
  const files = new FileWork({ waitMs: 0 });
  const make = (text: string) => ({ make: async () => fileOf(text), ...patient });
  expect(await files.get(first, 'a', make('before'))).toEqual({ file: fileOf('before'), isNew: true });
  expect(await files.get(first, 'a', make('after'))).toEqual({ file: fileOf('after'), isNew: true });
  const slow = slowFile();
  expect(await files.get(first, 'a', { make: slow.make, ...impatient })).toEqual({ rows: 0 });
  slow.resolve(fileOf('slow'));
  expect(await files.get(first, 'a', make('not this'))).toEqual({ file: fileOf('slow'), isNew: false });
  expect(await files.get(first, 'a', make('later'))).toEqual({ file: fileOf('later'), isNew: true });
});

test('files that are being made count too: kept files make room for them, then the one that grows is refused', async () => {
  const files = new FileWork({ waitMs: 0, keptBytesMax: 10 });
  const [kept, growing, big] = [slowFile(), slowFile(), slowFile()];
  await files.get(first, 'kept', { make: kept.make, ...impatient });
  kept.resolve(fileOf('1234567'));
  await expect.poll(() => files.get(first, 'kept', { make: kept.make, ...impatient })).toMatchObject({ isNew: false });
  await files.get(first, 'growing', { make: growing.make, ...impatient });
  growing.noteBytes(3);
  expect(await files.get(first, 'kept', { make: kept.make, ...impatient })).toMatchObject({ isNew: false });
  growing.noteBytes(4);
  expect(await files.get(first, 'kept', { make: slowFile().make, ...impatient })).toEqual({ rows: 0 });
  await files.get(second, 'big', { make: big.make, ...impatient });
  big.noteBytes(6);
  expect(() => big.noteBytes(7)).toThrow('Many large files are being made. Try again in a minute.');
});
