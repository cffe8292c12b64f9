// The chain by hash over the audit log: it covers every line, and tells when a line was changed, removed or added past the service.

import { beforeEach, describe, expect, test } from 'vitest';
import { chainAuditLines, verifyAuditChain, type ChainReport } from '../../../src/actions/access/audit-chain.ts';
import { deleteExpired } from '../../../src/jobs/expiry.ts';
import { dayMs } from '../../../src/kit/clock.ts';
import { runCommand } from '../../../src/app/admin/run-command.ts';
import { auditLines, verifyAudit } from '../../../src/app/admin/verify-audit.ts';
import { Keyring } from '../../../src/signing/keyring.ts';
import type { Tenant } from '../../../src/model/access/scope.ts';
import { Caller } from '../../setup/http/caller.ts';
import { makeMember } from '../../setup/people/members.ts';
import { serviceForThisTest, startTestService, type TestService } from '../../setup/node/test-service.ts';
import { countAuditEntries, runSql } from '../../setup/database/sql.ts';

const encryptionKey = Keyring.generate();
let service: TestService;
let tenant: Tenant;

beforeEach(async () => {
  service = await serviceForThisTest({ settings: { ENCRYPTION_KEY: encryptionKey, AUDIT_RETENTION_DAYS: '30' } });
  const { workspaceId } = service.first;
  tenant = { workspaceId, environment: 'production' };
});

/** Changes what the service itself cannot change. */
function tamper(text: string, values: readonly unknown[] = []): Promise<unknown> {
  return runSql(service.database, text, values as never);
}

/** Adds lines of long ago that wait to be chained. */
function addLines(count: number): Promise<unknown> {
  return tamper(
    `WITH made AS (INSERT INTO audit_entry (workspace_id, environment, id, at, act, subject_type, subject_id)
       SELECT $1, 'production', lpad(to_hex(n), 24, '0'), now(), 'create', 'client', 'x' FROM generate_series(1, $2) n RETURNING id)
     INSERT INTO unchained_audit_entry SELECT $1, 'production', id FROM made`,
    [tenant.workspaceId, count],
  );
}

async function verified(): Promise<ChainReport> {
  await chainAuditLines(service.context);
  return verifyAuditChain(service.context, tenant);
}

async function lineIds(): Promise<string[]> {
  const rows = await runSql<{ entry_id: string }>(service.database, 'SELECT entry_id FROM audit_link ORDER BY number');
  return rows.map((row) => row.entry_id);
}

describe('an untouched log', () => {
  test('has every line in its chain once the lines were chained, and the chain holds', async () => {
    for (const name of ['A', 'B', 'C']) await service.admin.makeClient(name);
    const count = await countAuditEntries(service.database);
    const before = await verifyAuditChain(service.context, tenant);
    expect([before.end.number, before.unchainedCount, before.faults]).toEqual([0, count, []]);
    expect(await chainAuditLines(service.context)).toBe(count);
    const after = await verifyAuditChain(service.context, tenant);
    expect([after.end.number, after.unchainedCount, after.faults]).toEqual([count, 0, []]);
    expect(await chainAuditLines(service.context)).toBe(0);
  });

  test('is chained by 50,000 lines in one run, and goes on in the next', async () => {
    await chainAuditLines(service.context);
    await addLines(50_001);
    expect(await chainAuditLines(service.context)).toBe(50_000);
    expect(await chainAuditLines(service.context)).toBe(1);
  });

  test('grows by links that follow the ones before', async () => {
    const first = await verified();
    await service.admin.makeClient('Later');
    const second = await verified();
    expect([second.end.number, second.faults]).toEqual([first.end.number + 1, []]);
    const known = { number: first.end.number, hash: first.end.hash.toString('hex') };
    expect((await verifyAuditChain(service.context, tenant, [known])).faults).toEqual([]);
  });

  test('is chained by several nodes at once without a gap', async () => {
    const { database, clock } = service;
    const other = await startTestService({ database, clock, settings: { ENCRYPTION_KEY: encryptionKey } });
    try {
      const names = Array.from({ length: 30 }, (_, index) => `Client ${index}`);
      const chaining = async (): Promise<void> => {
        for (const _ of names) {
          await Promise.all([chainAuditLines(service.context), chainAuditLines(other.context)]);
        }
      };
      await Promise.all([chaining(), ...names.map((name) => service.admin.makeClient(name))]);
      const { end, faults } = await verified();
      expect([end.number, faults]).toEqual([await countAuditEntries(database), []]);
    } finally {
      await other.stop();
    }
  });

  test('of each workspace and environment has a chain of its own', async () => {
    const other = await service.openWorkspace('sandbox');
    await other.makeClient('Elsewhere');
    const { end } = await verified();
    const me = (await other.get('/v1/me')).body;
    const there = await verifyAuditChain(service.context, { workspaceId: me.workspace_id, environment: 'sandbox' });
    expect(there.faults).toEqual([]);
    expect(end.number + there.end.number).toBe(await countAuditEntries(service.database));
  });

  test('still holds after a person was erased', async () => {
    const client = await service.admin.makeClient('Lindqvist');
    const user = await makeMember(service, client, { email: 'astrid@lindqvist.example' });
    const before = await verified();
    expect((await service.admin.send(`/v1/users/${user}/erasure`, { method: 'POST' })).status).toBe(204);
    const after = await verified();
    expect([after.end.number > before.end.number, after.faults]).toEqual([true, []]);
  });
});

describe('a log that was changed past the service', () => {
  beforeEach(async () => {
    for (const name of ['A', 'B', 'C']) await service.admin.makeClient(name);
    await chainAuditLines(service.context);
  });

  test.each([
    ['who', `subject = 'somebody else'`],
    ['when', `at = at + interval '1 second'`],
    ['what', `act = 'delete'`],
    ['what it said', `after = jsonb_set(after, '{name}', '"Changed"')`],
  ])('shows the line whose %s is another', async (_what, change) => {
    const id = (await lineIds()).at(-2)!;
    await tamper(`UPDATE audit_entry SET ${change} WHERE id = $1`, [id]);
    const { faults } = await verifyAuditChain(service.context, tenant);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(`the line ${id}`);
  });

  test('shows a line that was removed, with its link or without', async () => {
    const ids = await lineIds();
    await tamper('DELETE FROM audit_entry WHERE id = $1', [ids.at(-2)]);
    expect((await verifyAuditChain(service.context, tenant)).faults).toEqual([
      `Link ${ids.length - 1}: the line ${ids.at(-2)} is missing.`,
    ]);
    await tamper('DELETE FROM audit_link WHERE entry_id = $1', [ids.at(-2)]);
    expect((await verifyAuditChain(service.context, tenant)).faults[0]).toBe(
      `Links ${ids.length - 1} to ${ids.length - 1} are missing.`,
    );
  });

  test('shows that the last lines were removed, unless the end was put back too; a known end shows that', async () => {
    const { end } = await verifyAuditChain(service.context, tenant);
    const known = { number: end.number, hash: end.hash.toString('hex') };
    await tamper('DELETE FROM audit_entry WHERE id = (SELECT entry_id FROM audit_link WHERE number = $1)', [
      end.number,
    ]);
    await tamper('DELETE FROM audit_link WHERE number = $1', [end.number]);
    const fault = `The chain has ${end.number - 1} links, but had ${end.number}: the last are missing.`;
    expect((await verifyAuditChain(service.context, tenant)).faults).toEqual([fault]);
    await tamper(
      'UPDATE audit_chain SET number = number - 1, hash = (SELECT hash FROM audit_link ORDER BY number DESC LIMIT 1)',
    );
    expect((await verifyAuditChain(service.context, tenant)).faults).toEqual([]);
    expect((await verifyAuditChain(service.context, tenant, [known])).faults).toEqual([fault]);
    await service.admin.makeClient('Another');
    await chainAuditLines(service.context);
    const replaced = (await verifyAuditChain(service.context, tenant, [known])).faults;
    expect(replaced).toEqual([`Link ${end.number} had the hash ${known.hash} before.`]);
  });

  test('shows a line that was added', async () => {
    const id = 'f'.repeat(24);
    await tamper(
      `INSERT INTO audit_entry (workspace_id, environment, id, at, act, subject_type, subject_id)
       VALUES ($1, 'production', $2, now(), 'create', 'client', $2)`,
      [tenant.workspaceId, id],
    );
    expect((await verified()).faults).toEqual([`The line ${id} was added beside the chain.`]);
  });

  test('shows a hundred faults at most', async () => {
    await addLines(101);
    expect((await verified()).faults).toEqual([]);
    await tamper(
      `UPDATE audit_entry SET subject_id = 'changed' WHERE subject_id = 'x' AND id <> (SELECT max(id) FROM audit_entry WHERE subject_id = 'x')`,
    );
    expect((await verified()).faults).toHaveLength(100);
    await tamper(`UPDATE audit_entry SET subject_id = 'changed' WHERE subject_id = 'x'`);
    expect((await verified()).faults).toHaveLength(100);
  });

  test('cannot be chained anew without the key', async () => {
    const other = await serviceForThisTest({ settings: { ENCRYPTION_KEY: Keyring.generate() } });
    const { keyring } = other.context;
    expect((await verifyAuditChain({ ...service.context, keyring }, tenant)).faults.length).toBeGreaterThan(0);
  });
});

/** A caller with a token that is still valid after the clock was moved. */
function enterAgain(): Promise<Caller> {
  return Caller.withCredentials(service.admin.address, service.first);
}

describe('a log whose oldest lines are deleted after their time', () => {
  /** How many lines are ten days older than the rest. */
  let oldCount: number;

  beforeEach(async () => {
    for (const name of ['A', 'B']) await service.admin.makeClient(name);
    oldCount = (await verified()).end.number;
    service.clock.advance(10 * dayMs);
    const admin = await enterAgain();
    for (const name of ['C', 'D', 'E']) await admin.makeClient(name);
    await chainAuditLines(service.context);
  });

  test('has every line until its day, and then the chain holds from the first line that is left', async () => {
    const before = await verified();
    service.clock.advance(20 * dayMs);
    await deleteExpired(service.context);
    expect(await countAuditEntries(service.database)).toBe(oldCount + 3);
    service.clock.advance(1);
    await deleteExpired(service.context);
    expect([await countAuditEntries(service.database), (await lineIds()).length]).toEqual([3, 3]);
    const known = [1, before.end.number].map((number) => ({ number, hash: before.end.hash.toString('hex') }));
    const after = await verifyAuditChain(service.context, tenant, known);
    expect(after).toEqual({ ...before, deletedCount: oldCount });
    await (await enterAgain()).makeClient('F');
    const later = await verified();
    expect([later.end.number, later.deletedCount, later.faults]).toEqual([oldCount + 4, oldCount, []]);
  });

  test('keeps lines that are not chained yet', async () => {
    await (await enterAgain()).makeClient('Unchained');
    service.clock.advance(31 * dayMs);
    await deleteExpired(service.context);
    expect(await countAuditEntries(service.database)).toBe(1);
    expect(await verified()).toMatchObject({ end: { number: oldCount + 4 }, deletedCount: oldCount + 3, faults: [] });
    await deleteExpired(service.context);
    expect(await countAuditEntries(service.database)).toBe(0);
    expect(await verified()).toMatchObject({ end: { number: oldCount + 4 }, deletedCount: oldCount + 4, faults: [] });
  });

  test('is listed on from a cursor into what is gone', async () => {
    service.clock.advance(20 * dayMs);
    const { body: page } = await (await enterAgain()).get('/v1/audit-log?limit=4');
    expect([page.data.length, page.has_more]).toEqual([4, true]);
    service.clock.advance(1);
    await deleteExpired(service.context);
    const rest = await (await enterAgain()).get(`/v1/audit-log?limit=4&cursor=${page.next_cursor}`);
    expect([rest.status, rest.body]).toEqual([200, { data: [], has_more: false }]);
  });

  test('is deleted in short transactions, in the order of the chain', async () => {
    await addLines(1_200);
    await chainAuditLines(service.context);
    service.clock.advance(20 * dayMs + 1);
    await deleteExpired(service.context);
    expect(await verified()).toMatchObject({ deletedCount: oldCount, faults: [] });
    service.clock.advance(10 * dayMs);
    await deleteExpired(service.context);
    expect(await countAuditEntries(service.database)).toBe(0);
    expect(await verified()).toMatchObject({ deletedCount: oldCount + 1_203, faults: [] });
  });

  test('shows that more was removed than the service has deleted, also where that was written down as its deletion', async () => {
    service.clock.advance(20 * dayMs + 1);
    await deleteExpired(service.context);
    const [number, gone] = [oldCount + 1, (await lineIds())[0]];
    const [link] = await runSql<{ hash: Buffer }>(service.database, 'SELECT hash FROM audit_link WHERE number = $1', [
      number,
    ]);
    await tamper('DELETE FROM audit_entry WHERE id = $1', [gone]);
    await tamper('DELETE FROM audit_link WHERE number = $1', [number]);
    const removed = (await verifyAuditChain(service.context, tenant)).faults;
    expect(removed[0]).toBe(`Links ${number} to ${number} are missing.`);
    await tamper('UPDATE audit_chain SET anchor_number = $1, anchor_hash = $2', [number, link!.hash]);
    const forged = (await verifyAuditChain(service.context, tenant)).faults;
    expect(forged).toEqual([`Links 1 to ${number} were not removed by the service.`]);
    await tamper('UPDATE audit_chain SET anchor_number = 0');
    expect((await verifyAuditChain(service.context, tenant)).faults[0]).toBe(`Links 1 to ${number} are missing.`);
  });

  test.each([
    ['removed', 'DELETE FROM audit_entry WHERE id = $1', 'is missing'],
    ['changed', `UPDATE audit_entry SET act = 'export' WHERE id = $1`, 'was changed'],
  ])('keeps everything where a line was %s past the service, so that it is still found', async (_how, text, fault) => {
    const id = (await lineIds())[1]!;
    await tamper(text, [id]);
    service.clock.advance(40 * dayMs);
    const before = await countAuditEntries(service.database);
    await expect(deleteExpired(service.context)).rejects.toMatchObject({
      cause: { message: expect.stringContaining(id) },
    });
    expect(await countAuditEntries(service.database)).toBe(before);
    const { deletedCount, faults } = await verifyAuditChain(service.context, tenant);
    expect([deletedCount, faults]).toEqual([0, [expect.stringMatching(`the line ${id}.*${fault}`)]]);
  });
});

describe('npm run admin -- verify-audit', () => {
  async function run(...words: string[]): Promise<{ code: number; output: string }> {
    const env = { DATABASE_URL: service.database.url, ENCRYPTION_KEY: encryptionKey };
    const parts: string[] = [];
    const stream = { write: (part: string) => parts.push(part) };
    const code = await runCommand(words, env, { stdout: stream, stderr: stream });
    return { code, output: parts.join('') };
  }

  test('prints where each chain ends and exits with 0, and with 1 and the lines where one does not hold', async () => {
    await service.admin.makeClient('A');
    const { end } = await verified();
    const printed = `${tenant.workspaceId}/production:${end.number}:${end.hash.toString('hex')}`;
    const good = await run('verify-audit', printed);
    expect(good).toEqual({ code: 0, output: `${printed}  ${end.number} lines chained: all hold\n` });
    const id = (await lineIds()).at(-1)!;
    await tamper(`UPDATE audit_entry SET subject = 'somebody else' WHERE id = $1`, [id]);
    const bad = await run('verify-audit');
    expect(bad.code).toBe(1);
    expect(bad.output).toContain(`the line ${id}`);
    expect((await run('verify-audit', 'nonsense')).output).toContain('nonsense is not the end of a chain');
    expect(await run()).toMatchObject({ code: 2, output: expect.stringContaining('verify-audit') });
  });

  test('says from which line on it verified, if older ones were deleted after their time', async () => {
    const { end } = await verified();
    service.clock.advance(31 * dayMs);
    await deleteExpired(service.context);
    const printed = `${tenant.workspaceId}/production:${end.number}:${end.hash.toString('hex')}`;
    const deleted = `${end.number} deleted after their time, verified from line ${end.number + 1} on`;
    expect(await run('verify-audit', printed)).toEqual({
      code: 0,
      output: `${printed}  ${end.number} lines chained, ${deleted}: all hold\n`,
    });
  });

  test('says when a workspace that was known is gone', async () => {
    const lines: string[] = [];
    const gone = `${'0'.repeat(24)}/sandbox:1:${'a'.repeat(64)}`;
    expect(await verifyAudit(service.context, [gone], (found) => lines.push(...auditLines(found)))).toBe(false);
    expect(lines[0]).toContain('there is no such workspace');
  });
});
