// The chart for Kubernetes has the settings of the service, no secrets, and the alerts and the dashboard as the files that are tried. tests/chart/ has what Helm
// makes of it.

import { readFile } from 'node:fs/promises';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import packageFile from '../package.json' with { type: 'json' };
import { readConfig } from '../src/app/config.ts';
import { SettingReader } from '../src/app/setting-reader.ts';
import { imageSettings } from './setup/operations/image-settings.ts';

const chart = 'deploy/helm/holdfast';
const encryptionKey = '6b1f9a03d4e85c72a90b3e6df25c84170ce4b79a1d683f5298f0d1237ac6be45';

interface SettingsSchema {
  readonly properties: Readonly<Record<'settings' | 'secrets', { readonly properties: object }>>;
}

async function readSchema(): Promise<SettingsSchema> {
  return JSON.parse(await readFile(`${chart}/values.schema.json`, 'utf8'));
}

/** Settings of the chart that no value changes. */
const ownSettings = ['ROLE', 'METRICS_HOST', 'METRICS_PORT'];

test('values name every setting of the service except those that the image or the chart sets, and no other', async () => {
  const reader = new SettingReader({});
  readConfig({}, reader);
  const files = [...reader.names].filter(
    (name) => reader.names.has(name.replace(/_FILE$/, '')) && name.endsWith('_FILE'),
  );
  const secretNames = files.map((name) => name.replace(/_FILE$/, ''));
  const fixed = new Set([...Object.keys(await imageSettings()), ...ownSettings, ...files, ...secretNames]);
  const { properties } = await readSchema();
  expect(Object.keys(properties.secrets.properties).toSorted()).toEqual(secretNames.toSorted());
  expect(Object.keys(properties.settings.properties).toSorted()).toEqual(
    [...reader.names].filter((name) => !fixed.has(name)).toSorted(),
  );
});

test('the chart has the version of the service', async () => {
  const { version, appVersion } = parse(await readFile(`${chart}/Chart.yaml`, 'utf8'));
  expect({ version, appVersion }).toEqual({ version: packageFile.version, appVersion: packageFile.version });
});

test('no secret has a place in values, and none is set by default', async () => {
  const values = parse(await readFile(`${chart}/values.yaml`, 'utf8'));
  expect(values.secrets).toEqual({
    DATABASE_URL: { secret: 'holdfast', key: 'database_url' },
    ENCRYPTION_KEY: { secret: 'holdfast', key: 'encryption_key' },
  });
  const isValid = new Ajv({ strict: false }).compile(await readSchema());
  const complete = (changed: object): object => ({
    ...values,
    image: { ...values.image, repository: 'registry.example.com/holdfast' },
    settings: { ...values.settings, BASE_URL: 'https://wealth.example.com' },
    ...changed,
  });
  expect([isValid(complete({})), isValid.errors]).toEqual([true, null]);
  const { secrets: usual } = values;
  expect(isValid(complete({ secrets: { ...usual, ENCRYPTION_KEY: encryptionKey } }))).toBe(false);
  const settings = { BASE_URL: 'https://wealth.example.com', ENCRYPTION_KEY: encryptionKey };
  expect(isValid(complete({ settings }))).toBe(false);
});

test.for([
  ['alerts.yml', 'prometheus/alerts.yml'],
  ['infrastructure-alerts.yml', 'prometheus/infrastructure-alerts.yml'],
  ['dashboard.json', 'grafana/holdfast.json'],
])('the chart brings %s as the file itself', async ([file, source]) => {
  expect(await readFile(`${chart}/files/${file}`, 'utf8')).toBe(await readFile(`deploy/${source}`, 'utf8'));
});
