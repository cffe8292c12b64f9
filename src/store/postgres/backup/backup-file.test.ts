// Tests that a backup brings every kind of row and column back, that a damaged file is noticed, and that a failed restore leaves nothing.

import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { zstdDecompressSync } from 'node:zlib';
import { dumpSchema } from '../../../../scripts/write-schema.ts';
import { emptyDatabaseForThisTest, makeEmptyDatabase } from '../../../../tests/setup/database/empty-database.ts';
import { runSql } from '../../../../tests/setup/database/sql.ts';
import type { TestDatabase } from '../../../../tests/setup/database/test-database.ts';
import { migrate } from '../migrate.ts';
import { withBackupFile, writeBackupFile, type OpenedBackup } from './backup-file.ts';
import { loadSnapshot } from './load-snapshot.ts';
import type { Manifest } from './manifest.ts';
import { withDatabaseSnapshot, type Snapshot } from './snapshot.ts';
import { tarEnd, tarMember } from './tar-file.ts';

const origin = { release: '1.0.0', madeAt: '2026-11-17T10:00:00.000Z', keyFingerprint: 'abc' };

const tables = `
  CREATE TABLE owner (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, favourite int, twice int GENERATED ALWAYS AS (id * 2) STORED,
    note text, raw bytea, score float8, "Odd name" jsonb DEFAULT '{}', tags text[]);
  CREATE TABLE item (id int PRIMARY KEY, owner_id int NOT NULL REFERENCES owner (id) ON DELETE CASCADE);
  ALTER TABLE owner ADD FOREIGN KEY (favourite) REFERENCES item (id);
  CREATE TABLE seeded (word text PRIMARY KEY);
  INSERT INTO seeded VALUES ('from the migration');
  CREATE SEQUENCE ticket;
  ALTER TABLE item ENABLE ROW LEVEL SECURITY;
  ALTER TABLE item FORCE ROW LEVEL SECURITY;`;

const index = (name: string, columns: string): string =>
  `-- outside a transaction\nCREATE INDEX CONCURRENTLY IF NOT EXISTS ${name} ON owner (${columns});\n`;

const rows = `
  INSERT INTO owner (note, raw, score, "Odd name", tags) VALUES
    (E'tab\\there, line\\nfeed, back\\\\slash, \\\\N, ünï¢ødé, carriage\\rreturn', '\\x00ff0a5c', 0.1::float8 + 0.2, '{"a": [1, null]}', '{a,"b,c",NULL}'),
    ('', '', 'NaN', 'null', '{}'), (NULL, NULL, '-Infinity', NULL, NULL), (repeat('long ', 200000), NULL, 5e-324, '1', NULL);
  INSERT INTO item SELECT n, 1 + n % 4 FROM generate_series(1, 20000) n;
  UPDATE owner SET favourite = 7 WHERE id = 2;
  UPDATE seeded SET word = 'changed since';
  SELECT nextval('ticket') FROM generate_series(1, 41);`;

let folder: string;
let release: URL;
let nextRelease: URL;
let source: TestDatabase;
let file: string;
let manifest: Manifest;

async function putMigrations(name: string, texts: Readonly<Record<string, string>>): Promise<URL> {
  const path = join(folder, name);
  await mkdir(path);
  for (const [one, text] of Object.entries(texts)) await writeFile(join(path, one), text);
  return pathToFileURL(`${path}/`);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-backup-'));
  const own = { '0001-tables.sql': tables, '0002-index.sql': index('note_index', 'id, score') };
  release = await putMigrations('release', own);
  nextRelease = await putMigrations('next', {
    ...own,
    '0003-later.sql': 'ALTER TABLE owner ADD later int NOT NULL DEFAULT 7',
    '0004-later-index.sql': index('later_index', 'later'),
  });
  source = await makeEmptyDatabase();
  await migrate({ connectionString: source.url }, release);
  await runSql(source, rows);
  file = join(folder, 'whole.tar');
  manifest = await withDatabaseSnapshot({ connectionString: source.url }, (one) => writeBackupFile(file, one, origin));
});

afterAll(async () => {
  await source.drop();
  await rm(folder, { recursive: true, force: true });
});

function restoreInto({ url }: TestDatabase, path = file, migrations = release): Promise<unknown> {
  return withBackupFile(path, ({ snapshot }) => loadSnapshot({ connectionString: url }, snapshot, migrations));
}

const ownerText = `SELECT id, favourite, twice, note, encode(raw, 'hex') AS raw, score::text, "Odd name"::text AS odd, tags::text FROM owner ORDER BY id`;

async function contentOf(database: TestDatabase): Promise<unknown> {
  return [
    await runSql(database, ownerText),
    await runSql(database, 'SELECT md5(string_agg(i::text, $1 ORDER BY id)) FROM item i', [',']),
    await runSql(database, 'SELECT word FROM seeded'),
  ];
}

async function schemaOf({ url }: TestDatabase): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await dumpSchema(client);
  } finally {
    await client.end();
  }
}

const tablesIn = async (database: TestDatabase): Promise<number> =>
  (await runSql(database, `SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace`)).length;

describe('a restored database', () => {
  test('has the same rows, keys in a circle, generated columns, row-level security and next numbers', async () => {
    const target = await emptyDatabaseForThisTest();
    await restoreInto(target);
    expect(await contentOf(target)).toEqual(await contentOf(source));
    expect(await schemaOf(target)).toBe(await schemaOf(source));
    const [next] = await runSql(
      target,
      `INSERT INTO owner DEFAULT VALUES RETURNING id, nextval('ticket')::int AS ticket`,
    );
    expect(next).toEqual({ id: 5, ticket: 42 });
  });

  test('of an older release has had the migrations since', async () => {
    const target = await emptyDatabaseForThisTest();
    await restoreInto(target, file, nextRelease);
    expect(await contentOf(target)).toEqual(await contentOf(source));
    expect(await runSql(target, 'SELECT DISTINCT later FROM owner')).toEqual([{ later: 7 }]);
    expect(await runSql(target, 'SELECT count(*)::int AS count FROM schema_migration')).toEqual([{ count: 4 }]);
    expect(await schemaOf(target)).toContain('CREATE INDEX later_index');
  });
});

describe('the file', () => {
  test('says what is in it, and can be opened with tar, zstd and sha256sum', async () => {
    expect(manifest.tables.map(({ name, rows: count }) => [name, count])).toEqual([
      ['item', 20_000],
      ['owner', 4],
      ['seeded', 1],
    ]);
    expect(manifest).toMatchObject({
      format: 2,
      migrations: ['0001-tables.sql', '0002-index.sql'],
      sequences: { ticket: '41', owner_id_seq: '4' },
    });
    const unpacked = join(folder, 'unpacked');
    await mkdir(unpacked);
    execFileSync('tar', ['-xf', file, '-C', unpacked]);
    execFileSync('sha256sum', ['-c', '--quiet', 'manifest.json.sha256'], { cwd: unpacked });
    expect(JSON.parse(await readFile(join(unpacked, 'manifest.json'), 'utf8'))).toEqual(manifest);
    const seeded = await readFile(join(unpacked, 'tables', 'seeded.copy.zst'));
    expect(zstdDecompressSync(seeded).toString()).toBe('changed since\n');
  });

  test('is there only when it is whole', async () => {
    const broken: Snapshot = {
      migrations: [],
      tables: [{ name: 'item', columns: ['id'] }],
      sequences: {},
      rows: failingRows,
      count: async () => 1,
    };
    const path = join(folder, 'broken.tar');
    await expect(writeBackupFile(path, broken, origin)).rejects.toThrow('the server went away');
    expect((await readdir(folder)).filter((name) => name.startsWith('broken'))).toEqual([]);
    await expect(writeBackupFile(file, broken, origin)).rejects.toThrow('exists already');
  });

  test('is not made where the database has other rows than were read', async () => {
    const path = join(folder, 'short.tar');
    const making = withDatabaseSnapshot({ connectionString: source.url }, (snapshot) => {
      const rows: Snapshot['rows'] = (table) => (table.name === 'item' ? rowsOf('1\t1\n') : snapshot.rows(table));
      return writeBackupFile(path, { ...snapshot, rows }, origin);
    });
    await expect(making).rejects.toThrow(
      /It was not made\.\n {2}table {2}in the database {2}written\n {2}item {3}20000 {12}1$/,
    );
    expect((await readdir(folder)).filter((name) => name.startsWith('short'))).toEqual([]);
  });

  test('with any byte changed is refused', async () => {
    const bytes = await readFile(file);
    const path = join(folder, 'flipped.tar');
    // Every region of the file: its headers, contents and ends are all within a few of these steps.
    for (let at = 0; at < bytes.length; at += Math.ceil(bytes.length / 150)) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8((changed[at] ?? 0) ^ 1, at);
      await writeFile(path, changed);
      await expect(
        withBackupFile(path, async () => at),
        `byte ${at}`,
      ).rejects.toThrow(/damaged|no backup/);
    }
    for (const name of ['tables/owner.copy.zst', 'manifest.json', 'manifest.json.sha256']) {
      const changed = Buffer.from(bytes);
      const at = bytes.indexOf(name);
      for (const offset of [0, 100, 124, 148, 500, 512, 530]) {
        bytes.copy(changed);
        changed.writeUInt8((changed[at + offset] ?? 0) ^ 1, at + offset);
        await writeFile(path, changed);
        await expect(
          withBackupFile(path, async () => at),
          `${name} ${offset}`,
        ).rejects.toThrow(/damaged|no backup/);
      }
    }
  });

  test('that was cut off, or has something after its end, is refused', async () => {
    const { length } = await readFile(file);
    const path = join(folder, 'cut.tar');
    for (const size of [
      0,
      1,
      511,
      512,
      1024,
      Math.floor(length / 2),
      length - 1024,
      length - 512,
      length - 1,
      length + 512,
    ]) {
      await copyFile(file, path);
      await truncate(path, size);
      await expect(
        withBackupFile(path, async () => size),
        `${size} bytes`,
      ).rejects.toThrow(/damaged|no backup/);
    }
  });
});

describe('an encrypted file', () => {
  let identity: string;
  let path: string;

  beforeAll(async () => {
    identity = await generateIdentity();
    path = join(folder, 'encrypted.tar.age');
    const recipients = [await identityToRecipient(identity)];
    await withDatabaseSnapshot({ connectionString: source.url }, (one) =>
      writeBackupFile(path, one, origin, recipients),
    );
  });

  test('is restored with the identity, and nothing of it can be read without', async () => {
    const target = await emptyDatabaseForThisTest();
    const load = ({ snapshot }: OpenedBackup): Promise<unknown> =>
      loadSnapshot({ connectionString: target.url }, snapshot, release);
    await withBackupFile(path, load, [identity]);
    expect(await contentOf(target)).toEqual(await contentOf(source));
    const bytes = await readFile(path);
    for (const text of ['manifest.json', 'keyFingerprint', 'ustar', 'owner']) expect(bytes.includes(text)).toBe(false);
    await expect(withBackupFile(path, load)).rejects.toThrow('encrypted.tar.age: It is encrypted. Name the file');
    await expect(withBackupFile(file, load, [identity])).rejects.toThrow('whole.tar: It is not encrypted');
    const stranger = await generateIdentity();
    await expect(withBackupFile(path, load, [stranger])).rejects.toThrow('none of the identities opens it');
  });

  test('with any byte changed, cut off or with something after its end is refused before anything is done with it', async () => {
    const bytes = await readFile(path);
    const changed = join(folder, 'changed.tar.age');
    const damaged = [0, 30, 100, 183, 190, bytes.length >> 1, bytes.length - 1].map((at) => {
      const copy = Buffer.from(bytes);
      copy.writeUInt8(copy[at]! ^ 1, at);
      return copy;
    });
    const cut = [0, 100, 184, 200, bytes.length >> 1, bytes.length - 1].map((size) => bytes.subarray(0, size));
    for (const [index, content] of [...damaged, ...cut, Buffer.concat([bytes, Buffer.from('x')])].entries()) {
      await writeFile(changed, content);
      let isOpened = false;
      const open = async (): Promise<void> => void (isOpened = true);
      await expect(withBackupFile(changed, open, [identity]), `damage ${index}`).rejects.toThrow(
        /changed\.tar\.age: It is (damaged|not encrypted|encrypted to others)/,
      );
      expect(isOpened).toBe(false);
    }
  });

  test('is not there when it could not be written to its end', async () => {
    const broken = { migrations: [], tables: [{ name: 'item', columns: ['id'] }], sequences: {}, rows: failingRows };
    const snapshot: Snapshot = { ...broken, count: async () => 1 };
    const unfinished = join(folder, 'unfinished.tar.age');
    const recipients = [await identityToRecipient(identity)];
    await expect(writeBackupFile(unfinished, snapshot, origin, recipients)).rejects.toThrow('the server went away');
    expect((await readdir(folder)).filter((name) => name.startsWith('unfinished'))).toEqual([]);
  });
});

/** Rows that do not become shorter when compressed. */
async function* longRows(count: number): AsyncGenerator<Buffer> {
  for (let row = 0; row < count; row++) {
    const words = Array.from({ length: 512 }, (_none, at) =>
      createHash('sha256').update(`${row}/${at}`).digest('base64'),
    );
    yield Buffer.from(`${words.join('')}\n`);
  }
}

test('a long table is in several parts, which are one compressed file when put together', async () => {
  const tables = [{ name: 'long', columns: ['word'] }];
  const snapshot: Snapshot = {
    migrations: [],
    tables,
    sequences: {},
    rows: () => longRows(900),
    count: async () => 900,
  };
  const path = join(folder, 'long.tar');
  const { tables: written } = await writeBackupFile(path, snapshot, origin);
  expect(written[0]!.parts.map((part) => part.file)).toEqual(['tables/long.copy.zst', 'tables/long.copy.zst.2']);
  const hash = createHash('sha256');
  await withBackupFile(path, async (opened) => {
    for await (const block of opened.snapshot.rows(tables[0]!)) hash.update(block);
  });
  const expected = createHash('sha256');
  for await (const row of longRows(900)) expected.update(row);
  expect(hash.digest('hex')).toBe(expected.digest('hex'));
  const unpacked = join(folder, 'unpacked-long');
  await mkdir(unpacked);
  execFileSync('tar', ['-xf', path, '-C', unpacked]);
  const parts = await Promise.all(written[0]!.parts.map((part) => readFile(join(unpacked, part.file))));
  expect(zstdDecompressSync(Buffer.concat(parts)).filter((byte) => byte === 10).length).toBe(900);
});

test('a backup of an earlier release, with one file for each table, is restored', async () => {
  const members = await withBackupFile(file, async ({ manifest: { tables: written } }) => written);
  const unpacked = join(folder, 'unpacked-earlier');
  await mkdir(unpacked);
  execFileSync('tar', ['-xf', file, '-C', unpacked]);
  const tables = members.map(({ parts: [part], ...table }) => ({ ...table, ...part }));
  const text = Buffer.from(`${JSON.stringify({ ...manifest, format: 1, tables }, undefined, 2)}\n`);
  const digest = createHash('sha256').update(text).digest('hex');
  const contents = await Promise.all(
    tables.map(async (table) => ({ name: table.file!, content: await readFile(join(unpacked, table.file!)) })),
  );
  const path = join(folder, 'earlier.tar');
  await writeFile(
    path,
    Buffer.concat([
      ...contents.flatMap(({ name, content }) => [...tarMember(name, [content])]),
      ...tarMember('manifest.json', [text]),
      ...tarMember('manifest.json.sha256', [Buffer.from(`${digest}  manifest.json\n`)]),
      tarEnd(),
    ]),
  );
  const target = await emptyDatabaseForThisTest();
  await restoreInto(target, path);
  expect(await contentOf(target)).toEqual(await contentOf(source));
});

async function* failingRows(): AsyncGenerator<Buffer> {
  yield Buffer.from('1\n');
  throw new Error('the server went away');
}

describe('a restore that fails', () => {
  test.each<[what: string, change: Partial<Snapshot>, message: RegExp]>([
    ['while rows are read', { rows: failingRows }, /the server went away/],
    [
      'over rows that break a foreign key',
      { rows: ({ name }) => rowsOf(name === 'item' ? '1\t99\n' : '') },
      /foreign key/,
    ],
    [
      'over fewer rows than were counted',
      { rows: ({ name }) => rowsOf(name === 'owner' ? '1\t\\N\t\\N\t\\N\t\\N\t\\N\t\\N\n' : '') },
      /Nothing was kept\.\n {2}table +to be loaded {2}in the database\n {2}item +20000 +0\n {2}owner +4 +1\n {2}seeded +1 +0$/,
    ],
    ['over rows that are no rows', { rows: () => rowsOf('nonsense\n') }, /column|integer/],
    [
      'over other columns',
      { tables: [{ name: 'item', columns: ['id', 'colour'] }] },
      /not those that this release makes .*\(item\)/,
    ],
    ['over no tables', { tables: [] }, /not those that this release makes .*\(another one\)/],
    [
      'over migrations of a newer release',
      { migrations: ['0001-tables.sql', '0002-index.sql', '0003-later.sql'] },
      /made by a newer release/,
    ],
    ['over migrations of another line', { migrations: ['0001-others.sql'] }, /which this release does not have/],
  ])('%s leaves the database empty', async (_what, change, message) => {
    const target = await emptyDatabaseForThisTest();
    await withBackupFile(file, async ({ snapshot }) => {
      const loading = loadSnapshot({ connectionString: target.url }, { ...snapshot, ...change }, release);
      await expect(loading).rejects.toThrow(message);
    });
    expect(await tablesIn(target)).toBe(0);
  });

  test('because the database is not empty changes nothing', async () => {
    const before = await contentOf(source);
    await expect(restoreInto(source)).rejects.toThrow(
      /not empty: it has 4 tables \(item, owner, schema_migration, …\)/,
    );
    expect(await contentOf(source)).toEqual(before);
  });
});

async function* rowsOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}
