// docs/settings.md lists every setting that the service reads, and no other.

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { SettingReader } from './setting-reader.ts';

const settingPattern = /`([A-Z][A-Z0-9_]+)`/g;

async function readPage(name: string): Promise<string> {
  return readFile(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
}

function namesIn(text: string): string[] {
  return [...text.matchAll(settingPattern)].map(([, name = '']) => name);
}

/** Those of the second and third provider are described with the first, the others of tracing with the traces. */
function readNames(): string[] {
  const reader = new SettingReader({});
  readConfig({}, reader);
  return [...reader.names].filter((name) => !/^(PROVIDER_[BC]|OTEL)_|_FILE$/.test(name));
}

test('every setting is described', async () => {
  const described = new Set(namesIn(await readPage('settings.md')));
  expect(readNames().filter((name) => !described.has(name))).toEqual([]);
});

test('every setting that is listed has an effect', async () => {
  const listed = [...(await readPage('settings.md')).matchAll(/^\| (`[^|]+`[^|]*) \|/gm)].flatMap(([, cell = '']) =>
    namesIn(cell),
  );
  const reader = new SettingReader({});
  readConfig({}, reader);
  expect(listed.length).toBeGreaterThan(40);
  expect(listed.filter((name) => !reader.names.has(name))).toEqual([]);
});

test('the settings of tracing are described with the traces', async () => {
  const reader = new SettingReader({});
  readConfig({}, reader);
  const described = new Set(namesIn(await readPage('monitoring.md')));
  const ofTracing = [...reader.names].filter((name) => name.startsWith('OTEL_') && !name.endsWith('_FILE'));
  expect(ofTracing.filter((name) => !described.has(name))).toEqual([]);
});
