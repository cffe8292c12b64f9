// What a script reads of the operator's commands: one JSON text and nothing else.

import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { Keyring } from '../../../src/signing/keyring.ts';
import { emptyDatabaseForThisTest } from '../../setup/database/empty-database.ts';
import { Caller } from '../../setup/http/caller.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { runAdmin } from '../../setup/operations/run-admin.ts';

const key = Keyring.generate();
const service = serviceForThisFile({ settings: { ENCRYPTION_KEY: key } });

async function readJson(...words: readonly string[]): Promise<{ readonly code: number; readonly value: any }> {
  const settings = { DATABASE_URL: service.database.url, ENCRYPTION_KEY: key, DATA_DIR: tmpdir() };
  const { code, stdout, stderr } = await runAdmin([...words, '--json'], settings);
  expect(stderr).toBe('');
  return { code, value: JSON.parse(stdout) };
}

const moment = /^\d{4}-\d\d-\d\dT/;
const link = {
  administrator_link: expect.stringMatching(/^http/),
  administrator_link_expires_at: expect.stringMatching(moment),
};

test('a workspace that is made, with credentials that work until they are replaced, and a link', async () => {
  const { value: made } = await readJson('workspace', 'create', 'For a script');
  expect(made).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{24}$/),
    name: 'For a script',
    environments: ['production', 'sandbox'].map((environment) => ({
      environment,
      client_id: expect.any(String),
      client_secret: expect.any(String),
      ...link,
    })),
  });
  const [{ client_id: clientId, client_secret: clientSecret }] = made.environments;
  const me = await Caller.withCredentials(service.admin.address, { clientId, clientSecret });
  expect((await me.get('/v1/me')).status).toBe(200);
  const { value: replaced } = await readJson('new-secret', clientId);
  expect(replaced).toEqual({
    workspace_id: made.id,
    environment: 'production',
    name: 'Administration',
    client_id: clientId,
    client_secret: expect.any(String),
  });
  expect(replaced.client_secret).not.toBe(clientSecret);
  const { value: another } = await readJson('administrator-link', `${made.id}/sandbox`);
  expect(another).toEqual({ workspace_id: made.id, environment: 'sandbox', ...link });
});

test('what is running, what the database lacks, and what doctor has found', async () => {
  const { value: version } = await readJson('version');
  expect(Object.keys(version)).toEqual(['release', 'commit', 'node', 'schema']);
  const { code, value: missing } = await readJson('migrate', '--check');
  expect([code, missing]).toEqual([0, { last: version.schema, missing: [], is_of_another_release: false }]);
  const found = await readJson('doctor');
  const { is_fit: isFit, findings } = found.value;
  expect(found.code).toBe(isFit ? 0 : 1);
  expect(isFit).toBe(!findings.some(({ level }: { level: string }) => level === 'fail'));
  expect(findings).toContainEqual({ level: 'ok', what: `the schema is at ${version.schema}, that of this release` });
});

test('a workspace whose state changes, with the state that it had', async () => {
  const { value: made } = await readJson('workspace', 'create', 'Suspended by a script');
  const states: unknown[] = [];
  for (const words of [['suspend'], ['suspend'], ['resume'], ['close'], ['resume', '--reopen']]) {
    const [name = '', ...options] = words;
    const { value } = await readJson('workspace', name, made.id, ...options);
    expect(value.id).toBe(made.id);
    states.push([value.state_before, value.state]);
  }
  expect(states).toEqual([
    ['active', 'suspended'],
    ['suspended', 'suspended'],
    ['suspended', 'active'],
    ['active', 'closed'],
    ['closed', 'active'],
  ]);
});

test('the migrations that an empty database is given', async () => {
  const empty = await emptyDatabaseForThisTest();
  const settings = { DATABASE_URL: empty.url, ENCRYPTION_KEY: key, DATA_DIR: tmpdir() };
  const before = JSON.parse((await runAdmin(['migrate', '--check', '--json'], settings)).stdout);
  const run = JSON.parse((await runAdmin(['migrate', '--json'], settings)).stdout);
  expect(run).toEqual({ last: before.missing.at(-1), run: before.missing });
  expect(JSON.parse((await runAdmin(['migrate', '--json'], settings)).stdout)).toEqual({ last: run.last, run: [] });
});
