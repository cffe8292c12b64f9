// A custodian gets a connector only with what the connector needs: its addresses, or a folder for files.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runSql } from '../../setup/database/sql.ts';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { serviceForThisFile, serviceForThisTest } from '../../setup/node/test-service.ts';
import { makeRecord } from '../../setup/structure/structure-document.ts';

const service = serviceForThisFile();
let bankCount = 0;

async function newCustodian(caller: Caller): Promise<string> {
  return `/v1/admin/custodians/${await makeRecord(caller, 'custodians', { name: `Bank ${++bankCount}` })}`;
}

const addresses = {
  authorization_url: 'https://bank.example/authorize',
  token_url: 'https://bank.example/token',
  api_url: 'https://api.bank.example',
  oauth_client_id: 'holdfast',
};

const faultsOf = ({ status, body }: Reply): unknown => [
  status,
  body.errors.map(({ pointer, detail }: any) => `${pointer} ${detail}`),
];

test('oauth-pull without addresses is refused, with each that is missing', async () => {
  const path = await newCustodian(service.admin);
  const refused = await service.admin.patch(path, { connector: 'oauth-pull', token_url: addresses.token_url });
  expect(faultsOf(refused)).toEqual([
    422,
    [
      '/authorization_url oauth-pull needs authorization_url, the page of the custodian on which people consent.',
      '/api_url oauth-pull needs api_url, where the data is fetched from.',
      '/oauth_client_id oauth-pull needs oauth_client_id, by which the custodian knows this service.',
    ],
  ]);
  expect((await service.admin.get(path)).body).toMatchObject({ connector: null, token_url: null });
  const accepted = await service.admin.patch(path, { connector: 'oauth-pull', ...addresses });
  expect([accepted.status, accepted.body]).toMatchObject([200, { connector: 'oauth-pull', ...addresses }]);
  const without = await service.admin.patch(path, { api_url: null });
  expect(faultsOf(without)).toEqual([422, ['/api_url oauth-pull needs api_url, where the data is fetched from.']]);
  expect((await service.admin.patch(path, { connector: null, api_url: null })).status).toBe(200);
});

test('a custodian of an earlier release that lacks addresses can be changed otherwise, and gets them one by one', async () => {
  const path = await newCustodian(service.admin);
  const id = path.split('/').at(-1)!;
  await runSql(service.database, `UPDATE custodian SET connector = 'oauth-pull' WHERE id = $1`, [id]);
  for (const [field, value] of Object.entries({ ...addresses, consent_days: 90 }))
    expect([field, (await service.admin.patch(path, { [field]: value })).status]).toEqual([field, 200]);
});

test('file-drop is refused where the service has no folder for files, and accepted where it has one', async () => {
  const refused = await service.admin.patch(await newCustodian(service.admin), { connector: 'file-drop' });
  expect(faultsOf(refused)).toEqual([
    422,
    [
      '/connector This service has no folder for files. Set IMPORT_DIR to a folder that all nodes share, start the service again, and then connect the custodian.',
    ],
  ]);
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-drop-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { admin } = await serviceForThisTest({ settings: { IMPORT_DIR: folder } });
  expect((await admin.patch(await newCustodian(admin), { connector: 'file-drop' })).status).toBe(200);
});
