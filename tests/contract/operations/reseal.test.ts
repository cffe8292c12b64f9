// The encryption key is replaced while nodes run: nothing fails with two nodes at once that are one step apart, `holdfast reseal` may be killed
// and run again beside writers, and afterwards nothing opens with the old key and everything with the new one alone.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { chainAuditLines, verifyAuditChain } from '../../../src/actions/access/audit-chain.ts';
import { sealPurposes } from '../../../src/actions/access/reseal.ts';
import { StoredCredentials } from '../../../src/actions/custody/connector-access.ts';
import { openReadWork, runInTransaction, serviceAuthor } from '../../../src/actions/core/work.ts';
import { defined } from '../../../src/kit/assert.ts';
import { minuteMs } from '../../../src/kit/clock.ts';
import type { Id } from '../../../src/kit/id.ts';
import { Keyring, sealedBy } from '../../../src/signing/keyring.ts';
import { keyedColumns, nameOfColumn, type KeyedColumnName } from '../../../src/store/access/sealed-rows.ts';
import { makeLedgerHousehold } from '../../setup/ledger/ledger-household.ts';
import { emptyDatabaseForThisTest } from '../../setup/database/empty-database.ts';
import { runSql } from '../../setup/database/sql.ts';
import type { TestDatabase } from '../../setup/database/test-database.ts';
import { Caller } from '../../setup/http/caller.ts';
import { Scrape } from '../../setup/monitoring/scrape.ts';
import { programEnvironment } from '../../setup/node/program-environment.ts';
import { copyDatabase, makeDatabase, startTestService, type TestService } from '../../setup/node/test-service.ts';
import { runAdmin, type Ended } from '../../setup/operations/run-admin.ts';
import { expectWhole, makeSealedWorld, useConnector, type SealedWorld } from '../../setup/operations/sealed-world.ts';

const [oldKey, newKey, thirdKey] = [Keyring.generate(), Keyring.generate(), Keyring.generate()] as const;
const [oldName, newName, thirdName] = [oldKey, newKey, thirdKey].map((key) => Keyring.fromText(key).fingerprint()) as [
  string,
  string,
  string,
];

/** The settings of a node, step by step. */
const steps = {
  before: { ENCRYPTION_KEY: oldKey },
  accepting: { ENCRYPTION_KEY: oldKey, ENCRYPTION_KEY_NEXT: newKey },
  changing: { ENCRYPTION_KEY: newKey, ENCRYPTION_KEY_PREVIOUS: oldKey },
  after: { ENCRYPTION_KEY: newKey },
} as const;
type Settings = Readonly<Record<string, string>>;

/** A node for one test, on a database that other nodes may use as well. */
async function node(database: TestDatabase, settings: Settings): Promise<TestService> {
  const started = await startTestService({ database, settings });
  useConnector(started);
  onTestFinished(() => started.stop());
  return started;
}

const admin = (database: TestDatabase, settings: Settings, ...words: string[]): Promise<Ended> =>
  runAdmin(words, { DATABASE_URL: database.url, ...settings });

async function resealed(database: TestDatabase, settings: Settings = steps.changing): Promise<any> {
  const { code, stdout, stderr } = await admin(database, settings, 'reseal', '--json');
  expect(stderr).toBe('');
  const value = JSON.parse(stdout);
  expect(code).toBe(value.is_done ? 0 : 1);
  return value;
}

interface StoredValue {
  readonly what: KeyedColumnName;
  readonly kind: 'sealed' | 'digest';
  /** What a sealed value is bound to. */
  readonly context: string;
  readonly value: Buffer;
}

/** Whatever a key has made, read past the service. */
async function storedValues(database: TestDatabase): Promise<StoredValue[]> {
  const columns = keyedColumns.map(async (of) => {
    const id = of.idKind === 'text' ? of.id : `encode(${of.id}, 'hex')`;
    const rows = await runSql<{ context: string; value: Buffer }>(
      database,
      `SELECT workspace_id || '/' || environment || '/' || ${id} AS context, ${of.column} AS value
       FROM ${of.table} WHERE ${of.column} IS NOT NULL`,
    );
    return rows.map((row) => ({ ...row, what: nameOfColumn(of), kind: of.kind }));
  });
  return (await Promise.all(columns)).flat();
}

/** The sealed values that a key opens alone, whether or not they name it. */
function openedBy(key: string, values: readonly StoredValue[]): string[] {
  const keyring = Keyring.fromText(key);
  return values.flatMap(({ what, kind, context, value }) => {
    if (kind === 'digest') return [];
    const unnamed = value[0] === 2 ? Buffer.concat([Buffer.of(1), value.subarray(9)]) : value;
    return [value, unnamed].flatMap((bytes) => {
      try {
        keyring.open(sealPurposes[what as keyof typeof sealPurposes], bytes, context);
        return [what];
      } catch {
        return [];
      }
    });
  });
}

/** Which keys the values name, by column. */
async function namesIn(database: TestDatabase): Promise<string[]> {
  const values = await storedValues(database);
  const nameOf = ({ kind, value }: StoredValue): string =>
    (kind === 'digest' && value.length === 32 ? '' : sealedBy(value)) || 'first';
  return [...new Set(values.map((one) => `${one.what} ${nameOf(one)}`))].toSorted();
}

let sealed: TestDatabase;
let world: SealedWorld;
let inSandbox: SealedWorld;

/** A database as a release without rotation has left it: everything is of the first key, which no value names. */
beforeAll(async () => {
  sealed = await makeDatabase();
  const service = await startTestService({ database: sealed, settings: steps.before });
  world = await makeSealedWorld(service, service.admin);
  inSandbox = await makeSealedWorld(service, await service.openWorkspace('sandbox'));
  await service.stop();
});
afterAll(() => sealed.drop());

async function copyForThisTest(): Promise<TestDatabase> {
  const database = await copyDatabase(sealed);
  onTestFinished(() => database.drop());
  return database;
}

test('the world of these tests has a value in every column but that of replaced keys, and none names the first key', async () => {
  const columns = keyedColumns.map(nameOfColumn).filter((name) => name !== 'replaced_key.kept_sealed');
  expect(await namesIn(sealed)).toEqual(columns.map((name) => `${name} first`).toSorted());
});

test('every column of bytes is resealed, or is known to need no key', async () => {
  const rows = await runSql<{ name: string }>(
    sealed,
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
     WHERE table_schema = current_schema() AND data_type = 'bytea' ORDER BY 1`,
  );
  const withoutKey = [
    // Hashes of random secrets, of keys that callers choose, and of requests, without a key.
    'administrator_link.secret_hash',
    'invite.secret_hash',
    'session.secret_hash',
    'used_assertion.token_id_hash',
    'idempotent_answer.key_hash',
    'idempotent_answer.request_hash',
    'credential.secret_salt',
    // The chain is handed over, not made anew: what earlier verifications have reported still holds.
    'audit_link.hash',
    'audit_chain.hash',
    'audit_chain.anchor_hash',
    'audit_chain.anchor_seal',
    'ledger_copy.packed',
  ];
  const known = [...keyedColumns.map(nameOfColumn), ...withoutKey].toSorted();
  expect(rows.map(({ name }) => name).toSorted()).toEqual(known);
});

describe('nodes change their settings one by one', () => {
  const pairs = [
    ['before', 'accepting'],
    ['accepting', 'changing'],
  ] as const;

  test.each(pairs)('a node %s it and one %s it read what the other writes', async (one, other) => {
    const database = await copyForThisTest();
    const nodes = [await node(database, steps[one]), await node(database, steps[other])] as const;
    for (const each of nodes) for (const known of [world, inSandbox]) await expectWhole(each, known);
    for (const [writer, reader] of [nodes, nodes.toReversed() as [TestService, TestService]] as const) {
      const made = await makeSealedWorld(writer, writer.admin);
      await expectWhole(reader, made);
      await expectWhole(writer, made);
      const { body: page } = await writer.admin.get('/v1/clients?limit=1');
      const next = await reader.admin.get(`/v1/clients?limit=1&cursor=${page.next_cursor}`);
      expect(next.status).toBe(200);
    }
  });

  test('a link of an invite and a consent that one node has begun end at another', async () => {
    const database = await copyForThisTest();
    const changing = await node(database, steps.changing);
    const query = new URLSearchParams({ state: world.pending.state, code: 'yes' });
    const path = `/connect/callback/${world.pending.custodian}?${query}`;
    expect((await new Caller(changing.admin.address, null).get(path)).status).toBe(200);
    expect((await changing.admin.get(`/v1/auth-flows/${world.pending.flow}`)).body.state).not.toBe(
      'awaiting-custodian',
    );
  });
});

describe('reseal', () => {
  test('brings every value under the new key, which then opens everything alone, and the old one nothing', async () => {
    const database = await copyForThisTest();
    const before = await storedValues(database);
    const [known] = (await endsOf(database, steps.before)).map(({ end }) => end);
    const report = await resealed(database);
    expect(report).toMatchObject({ is_done: true, audit_logs_left: 0, unreadable: [], unreadable_count: 0 });
    expect(report.values.every(({ use, key }: any) => use === 'present' && key === newName)).toBe(true);
    expect(report.resealed.reduce((sum: number, { count }: any) => sum + count, 0)).toBe(before.length);
    expect(await namesIn(database)).toEqual(keyedColumns.map((of) => `${nameOfColumn(of)} ${newName}`).toSorted());
    const after = await storedValues(database);
    const sealedCount = before.filter(({ kind }) => kind === 'sealed').length;
    // Each is tried as it is and without its name.
    expect([openedBy(oldKey, before).length, openedBy(oldKey, after)]).toEqual([2 * sealedCount, []]);
    expect(new Set(openedBy(newKey, after))).toEqual(new Set(Object.keys(sealPurposes)));
    const left = new Set(before.map(({ value }) => value.toString('hex')));
    expect(
      after.filter(({ value }) => left.has(value.toString('hex')) || left.has(value.subarray(9).toString('hex'))),
    ).toEqual([]);
    expect(await resealed(database)).toMatchObject({ is_done: true, resealed: [] });
    const alone = await node(database, steps.after);
    for (const one of [world, inSandbox]) await expectWhole(alone, one);
    // What an earlier verification has printed is still part of the audit log.
    const verified = await verifyAuditChain(alone.context, world.tenant, [
      { number: known!.number, hash: known!.hash.toString('hex') },
    ]);
    expect(verified.faults).toEqual([]);
    await expect(startTestService({ database, settings: steps.before })).rejects.toThrow(/sealed with the key/);
  });

  test('may be killed: what is left is resealed by the next run', { timeout: 600_000 }, async () => {
    const database = await copyForThisTest();
    await addAnswers(database, 4_000);
    const env = { ...programEnvironment, DATABASE_URL: database.url, ...steps.changing };
    const program = new URL('../../../src/admin.ts', import.meta.url).pathname;
    const total = (await storedValues(database)).length;
    let kills = 0;
    for (const until of [0, 1_000, 3_000]) {
      const run = spawn(process.execPath, [program, 'reseal'], { env, stdio: 'ignore' });
      onTestFinished(() => void run.kill('SIGKILL'));
      const exited = once(run, 'exit');
      await expect
        .poll(async () => run.exitCode !== null || (await countNamed(database)) > until, { interval: 1 })
        .toBe(true);
      run.kill('SIGKILL');
      if ((await exited)[1] === 'SIGKILL') kills++;
      const service = await startTestService({ database, settings: steps.changing });
      useConnector(service);
      await expectWhole(service, world);
      await service.stop();
    }
    expect(kills).toBeGreaterThan(0);
    const done = await resealed(database);
    expect(done.is_done).toBe(true);
    expect(done.values.reduce((sum: number, { count }: any) => sum + count, 0)).toBeGreaterThanOrEqual(total);
    const after = await node(database, steps.after);
    for (const one of [world, inSandbox]) await expectWhole(after, one);
  });

  test('runs beside writers, whose values are neither lost nor left behind', async () => {
    const database = await copyForThisTest();
    const changing = await node(database, steps.changing);
    const caller = changing.admin;
    const running = new AbortController();
    const secrets: string[] = [];
    const worlds: SealedWorld[] = [];
    const writing = async (): Promise<void> => {
      while (!running.signal.aborted) {
        worlds.push(await makeSealedWorld(changing, caller));
        const rotated = await caller.send(`/v1/webhooks/${world.webhook}/rotate-secret`, { method: 'POST' });
        expect(rotated.status).toBe(200);
        secrets.unshift(rotated.body.secret);
      }
    };
    await addAnswers(database, 1_000);
    const writer = writing();
    const report = await resealed(database).finally(() => running.abort());
    await writer;
    expect(report.is_done).toBe(true);
    expect(worlds.length).toBeGreaterThan(0);
    expect(await resealed(database)).toMatchObject({ is_done: true, resealed: [] });
    const after = await node(database, steps.after);
    const present = [secrets[0]!, secrets[1] ?? world.webhookSecrets[0]!];
    for (const one of [{ ...world, webhookSecrets: present }, inSandbox, ...worlds]) await expectWhole(after, one);
  });

  test('is not done while a node still writes with the old key: the next run finds what it has written', async () => {
    const database = await copyForThisTest();
    const late = await node(database, steps.accepting);
    expect((await resealed(database)).is_done).toBe(true);
    const made = await makeSealedWorld(late, late.admin);
    const changing = await node(database, steps.changing);
    await expectWhole(changing, made);
    const check = await resealed(database);
    expect(check.is_done).toBe(true);
    expect(check.resealed.length).toBeGreaterThan(5);
    const after = await node(database, steps.after);
    for (const one of [world, made]) await expectWhole(after, one);
  });

  test('a feed that runs meanwhile keeps its credentials, and renews them', async () => {
    const database = await copyForThisTest();
    const { context } = await node(database, steps.changing);
    const { tenant } = world;
    const authority = world.authority as Id;
    const read = async (): Promise<Buffer | null> =>
      openReadWork(context, serviceAuthor(tenant)).store.custody.sealed.find('authority', authority);
    const stored = new StoredCredentials(context, { tenant, authority }, await read());
    await resealed(database);
    const areCurrent = (): Promise<boolean> =>
      runInTransaction(context, serviceAuthor(tenant), (work) => stored.areCurrent(work));
    expect(await areCurrent()).toBe(true);
    await stored.renew('renewed');
    const present = defined(await read(), 'the authority has credentials');
    const seen = context.keyring.open(
      'authority-credentials',
      present,
      `${tenant.workspaceId}/${tenant.environment}/${authority}`,
    );
    expect(seen.toString()).toBe('renewed');
    expect(await areCurrent()).toBe(true);
  });

  test('names what neither key opens, and fails', async () => {
    const database = await copyForThisTest();
    await runSql(database, `UPDATE webhook SET secret_sealed = overlay(secret_sealed placing '\\x00' from 20)`);
    const report = await resealed(database);
    expect(report).toMatchObject({ is_done: false, unreadable_count: 2 });
    expect(report.unreadable).toContainEqual({
      workspace_id: world.tenant.workspaceId,
      environment: world.tenant.environment,
      what: 'webhook.secret_sealed',
      id: world.webhook,
    });
    const { code, stdout } = await admin(database, steps.changing, 'reseal');
    expect(code).toBe(1);
    expect(stdout).toContain(`UNREADABLE webhook.secret_sealed of ${world.webhook} in `);
    // It keeps nothing else under the old key.
    expect((await namesIn(database)).filter((name) => name.endsWith('first'))).toEqual(['webhook.secret_sealed first']);
  });

  test('is refused while the new key only opens, and only counts without a previous key', async () => {
    const database = await copyForThisTest();
    const early = await admin(database, steps.accepting, 'reseal');
    expect([early.code, early.stdout]).toEqual([1, '']);
    expect(early.stderr).toMatch(/^ENCRYPTION_KEY_NEXT is set: /);
    const names = await namesIn(database);
    const counted = await resealed(database, steps.before);
    expect(counted).toMatchObject({ is_done: true, keys: { present: oldName, previous: null }, resealed: [] });
    expect(await namesIn(database)).toEqual(names);
  });

  test('happens again with a third key: digests of the first are still recognised', async () => {
    const database = await copyForThisTest();
    await resealed(database);
    const between = await node(database, steps.after);
    const made = await makeSealedWorld(between, between.admin);
    await chainAuditLines(between.context);
    const settings = { ENCRYPTION_KEY: thirdKey, ENCRYPTION_KEY_PREVIOUS: newKey };
    const report = await resealed(database, settings);
    expect(report).toMatchObject({ is_done: true, keys: { present: thirdName, previous: newName } });
    const after = await node(database, { ENCRYPTION_KEY: thirdKey });
    const workspace = await makeSealedWorld(after, await after.openWorkspace());
    for (const one of [world, inSandbox, made, workspace]) await expectWhole(after, one);
    // The workspace that came last needs none of the others to be there.
    const { workspaceId } = workspace.tenant;
    await runSql(database, 'DELETE FROM replaced_key WHERE workspace_id <> $1', [workspaceId]);
    await expectWhole(await node(database, { ENCRYPTION_KEY: thirdKey }), workspace);
    const back = await admin(database, { ENCRYPTION_KEY: newKey, ENCRYPTION_KEY_PREVIOUS: thirdKey }, 'reseal');
    expect([back.code, back.stdout]).toEqual([1, '']);
    expect(back.stderr).toContain(`The key ${newName} was replaced by the key ${thirdName} in this database.`);
  });
});

describe('the audit log', () => {
  test('is not lengthened with the old key once that has been handed over', async () => {
    const database = await copyForThisTest();
    const late = await node(database, steps.before);
    await resealed(database);
    await late.admin.makeClient('Written late');
    await chainAuditLines(late.context);
    const after = await node(database, steps.after);
    const { faults } = await verifyAuditChain(after.context, await firstTenant(late));
    expect(faults.length).toBeGreaterThan(0);
    expect((await resealed(database)).is_done).toBe(true);
    const again = await node(database, steps.after);
    expect((await verifyAuditChain(again.context, await firstTenant(late))).faults).toEqual([]);
  });

  test('is not changed before the handover by whoever has the old key', async () => {
    const database = await copyForThisTest();
    await resealed(database);
    await runSql(
      database,
      `UPDATE audit_entry SET act = 'delete' WHERE id = (SELECT entry_id FROM audit_link WHERE workspace_id = $1 AND environment = $2 AND number = 2)
       AND workspace_id = $1`,
      [world.tenant.workspaceId, world.tenant.environment],
    );
    const after = await node(database, steps.after);
    expect((await verifyAuditChain(after.context, world.tenant)).faults.length).toBeGreaterThan(0);
  });
});

describe('doctor says where the change of the key is', () => {
  const findings = async (database: TestDatabase, settings: Settings): Promise<any[]> => {
    const { stdout } = await admin(database, settings, 'doctor', '--json');
    return JSON.parse(stdout).findings.filter(({ what }: any) => /encryption.key|of keys that/i.test(what));
  };

  test('step by step, with the next one', async () => {
    const database = await copyForThisTest();
    const created = { level: 'ok', what: 'the encryption key is the one that the database was created with' };
    const replaced = { level: 'ok', what: 'the encryption key is the one that the database is sealed with' };
    const count = (await storedValues(database)).length;
    const has = (setting: string, name: string, rest: string): string => `${setting} is the key ${name}, which ${rest}`;
    const present = (name: string, made: number): object => ({
      level: 'ok',
      what: has('ENCRYPTION_KEY', name, `has made ${made} values`),
    });
    expect(await findings(database, steps.before)).toEqual([created, present(oldName, count)]);
    expect(await findings(database, steps.accepting)).toEqual([
      created,
      present(oldName, count),
      {
        level: 'warn',
        what: has('ENCRYPTION_KEY_NEXT', newName, 'has made 0 values'),
        remedy: expect.stringContaining(`ENCRYPTION_KEY_PREVIOUS to the key ${oldName} on one node after the other`),
      },
    ]);
    const tenants = (await runSql(database, 'SELECT FROM environment')).length;
    expect(await findings(database, steps.changing)).toEqual([
      replaced,
      present(newName, 0),
      {
        level: 'warn',
        what: has(
          'ENCRYPTION_KEY_PREVIOUS',
          oldName,
          `${count} values and the audit logs of ${tenants} environments still need`,
        ),
        remedy: expect.stringContaining('`holdfast reseal`'),
      },
    ]);
    await resealed(database);
    const all = count + tenants;
    expect(await findings(database, steps.changing)).toEqual([
      replaced,
      present(newName, all),
      {
        level: 'warn',
        what: has('ENCRYPTION_KEY_PREVIOUS', oldName, 'nothing needs any more'),
        remedy: 'Remove it from the settings of all nodes.',
      },
    ]);
    expect(await findings(database, steps.after)).toEqual([replaced, present(newName, all)]);
  });

  test('and what is of a key that no setting names', async () => {
    const database = await copyForThisTest();
    await resealed(database);
    const foreign = `'\\x02${thirdName}'`;
    await runSql(database, `UPDATE mail SET message_sealed = ${foreign} || substring(message_sealed FROM 10)`);
    const mails = (await runSql(database, 'SELECT FROM mail')).length;
    expect(await findings(database, steps.after)).toContainEqual({
      level: 'fail',
      what: `${mails} values are of keys that no setting names: ${thirdName}`,
      remedy: expect.stringContaining('ENCRYPTION_KEY_PREVIOUS'),
    });
  });
});

describe('a start', () => {
  test.each([
    ['without the previous key', { ENCRYPTION_KEY: newKey }, /^ENCRYPTION_KEY is not the key that this database/],
    [
      'with a key that is set twice',
      { ENCRYPTION_KEY: oldKey, ENCRYPTION_KEY_PREVIOUS: oldKey },
      /PREVIOUS is the same/,
    ],
  ])('%s is refused before anything is resealed', async (_what, settings, message) => {
    const database = await copyForThisTest();
    await expect(startTestService({ database, settings })).rejects.toThrow(message);
  });

  test('without the previous key is refused until the last value is resealed', async () => {
    const database = await copyForThisTest();
    const changing = await node(database, steps.changing);
    const newest = await changing.openWorkspace();
    expect((await newest.get('/v1/me')).status).toBe(200);
    await expect(startTestService({ database, settings: steps.after })).rejects.toThrow(
      /is still sealed with the key before ENCRYPTION_KEY .* until `holdfast reseal` has finished/,
    );
    await resealed(database);
    await node(database, steps.after);
  });

  test('that turns the order of the keys around is refused', async () => {
    const database = await copyForThisTest();
    await resealed(database);
    const settings = { ENCRYPTION_KEY: oldKey, ENCRYPTION_KEY_PREVIOUS: newKey };
    await expect(startTestService({ database, settings })).rejects.toThrow(
      `The key ${oldName} was replaced by the key ${newName} in this database.`,
    );
  });
});

test('a backup of the time before is restored with both keys, and one of the change names both', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-reseal-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const passphrase = join(folder, 'passphrase');
  await writeFile(passphrase, 'a long enough passphrase');
  const withKey = ['--with-key', '--passphrase-file', passphrase];
  const database = await copyForThisTest();
  const old = join(folder, 'old.tar');
  expect((await admin(database, steps.before, 'backup', '--to', old)).code).toBe(0);
  const during = join(folder, 'during.tar');
  const made = await admin(database, steps.changing, 'backup', '--to', during, ...withKey);
  expect([made.code, made.stderr]).toEqual([0, '']);
  expect(made.stdout).toContain(`the previous one (fingerprint ${oldName}) is needed as well, and is in it.`);

  const refused = await admin(await emptyDatabaseForThisTest(), steps.after, 'restore', '--from', old);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(`the encryption key ${oldName}`)]);
  const restored = await emptyDatabaseForThisTest();
  expect((await admin(restored, steps.changing, 'restore', '--from', old)).code).toBe(0);
  expect((await resealed(restored)).is_done).toBe(true);
  await expectWhole(await node(restored, steps.after), world);

  const half = await emptyDatabaseForThisTest();
  const incomplete = await admin(half, steps.after, 'restore', '--from', during);
  expect([incomplete.code, incomplete.stderr]).toEqual([1, expect.stringContaining(`also needs the key ${oldName}`)]);
  const to = join(folder, 'key');
  const whole = await admin(half, {}, 'restore', '--from', during, ...withKey, '--key-to', to);
  expect([whole.code, whole.stderr]).toEqual([0, '']);
  const settings = { ENCRYPTION_KEY_FILE: to, ENCRYPTION_KEY_PREVIOUS_FILE: `${to}.previous` };
  await expectWhole(await node(half, { ...settings, ENCRYPTION_KEY: '' }), world);
});

test('the metrics of a node name its keys, and count what each has made while there are two', async () => {
  const database = await copyForThisTest();
  const [before, changing] = [await node(database, steps.before), await node(database, steps.changing)];
  const seriesOf = async ({ admin: { address } }: TestService): Promise<string[]> => {
    const { values } = await Scrape.of(address);
    return [...values].flatMap(([name, value]) =>
      /^holdfast_(encryption_key|sealed)/.test(name) ? [`${name} ${value}`] : [],
    );
  };
  expect(await seriesOf(before)).toEqual([`holdfast_encryption_key_info{use="present",fingerprint="${oldName}"} 1`]);
  const values = await storedValues(database);
  const count = values.filter(({ value }) => value[0] !== 2 || value.length === 32).length;
  const expected = (present: number, previous: number): string[] => [
    `holdfast_encryption_key_info{use="present",fingerprint="${newName}"} 1`,
    `holdfast_encryption_key_info{use="previous",fingerprint="${oldName}"} 1`,
    `holdfast_sealed_values{key="present"} ${present}`,
    `holdfast_sealed_values{key="previous"} ${previous}`,
    'holdfast_sealed_values{key="next"} 0',
    'holdfast_sealed_values{key="unknown"} 0',
  ];
  await expect.poll(() => seriesOf(changing)).toEqual(expected(values.length - count, count));
  await resealed(database);
  expect(await seriesOf(changing)).toEqual(expected(values.length - count, count));
  changing.clock.advance(10 * minuteMs);
  const all = (await storedValues(database)).length;
  await expect.poll(() => seriesOf(changing)).toEqual(expected(all, 0));
});

test('a cursor of a report is the same bytes before and after, also where threads compute reports', async () => {
  const database = await copyForThisTest();
  const threads = { WORK_THREADS: '1' };
  const before = await node(database, { ...steps.before, ...threads });
  const { account, reportingEntity } = await makeLedgerHousehold(before.admin);
  const portfolio = { reporting_entity_id: reportingEntity, account_ids: [account] };
  expect((await before.admin.post('/v1/portfolios', portfolio)).status).toBe(201);
  for (const amount of ['1', '2', '3']) {
    const deposit = { type: 'deposit', account_id: account, date: '2026-03-02', amount };
    expect((await before.admin.post('/v1/transactions', deposit)).status).toBe(201);
  }
  const path = `/v1/activity?reporting_entity_id=${reportingEntity}&limit=1`;
  const cursorOn = async ({ admin: caller }: TestService): Promise<string> => {
    const { status, body, text } = await caller.get(path);
    expect([status, text]).toEqual([200, expect.any(String)]);
    return body.next_cursor;
  };
  const cursor = await cursorOn(before);
  expect(cursor).toEqual(expect.any(String));
  await resealed(database);
  const after = await node(database, { ...steps.after, ...threads });
  expect(await cursorOn(after)).toBe(cursor);
  expect((await after.admin.get(`${path}&cursor=${cursor}`)).status).toBe(200);
});

async function firstTenant(service: TestService): Promise<SealedWorld['tenant']> {
  const { body } = await service.admin.get('/v1/me');
  return { workspaceId: body.workspace_id, environment: 'production' };
}

async function endsOf(database: TestDatabase, settings: Settings) {
  const service = await startTestService({ database, settings });
  try {
    return [await verifyAuditChain(service.context, world.tenant)];
  } finally {
    await service.stop();
  }
}

async function countNamed(database: TestDatabase): Promise<number> {
  const [row] = await runSql<{ count: string }>(
    database,
    `SELECT count(*) FROM idempotent_answer WHERE substring(answer_sealed FROM 1 FOR 1) = '\\x02'`,
  );
  return Number(row!.count);
}

/** Many stored answers of the first key. */
async function addAnswers(database: TestDatabase, count: number): Promise<void> {
  const { workspaceId, environment } = world.tenant;
  const keyring = Keyring.fromText(oldKey);
  const hashes = Array.from({ length: count }, (_, index) => index.toString(16).padStart(64, '0'));
  const values = hashes.map((hash) =>
    keyring.seal('idempotent-answer', 'kept', `${workspaceId}/${environment}/${hash}`).toString('hex'),
  );
  await runSql(
    database,
    `INSERT INTO idempotent_answer (workspace_id, environment, key_hash, caller, request_hash, answer_sealed, expires_at)
     SELECT $1, $2, decode(h, 'hex'), '', '', decode(v, 'hex'), now() + interval '1 day' FROM unnest($3::text[], $4::text[]) AS a (h, v)`,
    [workspaceId, environment, hashes, values],
  );
}
