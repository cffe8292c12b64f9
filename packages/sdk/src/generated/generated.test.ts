// Checks that the generated part is up to date with the served document, and that the package is what it says: complete, small, publishable.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';
import { expect, onTestFinished, test } from 'vitest';
import { buildPackage } from '../../../../scripts/build-package.ts';
import { describedOperations } from '../../../../scripts/sdk/described-operations.ts';
import { servedDocument } from '../../../../scripts/sdk/served-document.ts';
import { flagsOf, generatedFiles, generatedFolder } from '../../../../scripts/sdk/write-sdk.ts';
import manifest from '../../package.json' with { type: 'json' };
import { Holdfast } from '../index.ts';
import { readTable } from '../operations.ts';
import { version } from '../version.ts';
import { operationTable } from './operation-table.ts';

/** Texts of the reference may change without a change of the contract; they are written anew with the next one. */
function withoutComments(text: string): string {
  return text.replaceAll(/^ *\/\*\*[\s\S]*?\*\/\n/gm, '');
}

const document = servedDocument();

test.each(Object.entries(generatedFiles(document)))('%s is up to date: run `npm run sdk`', (name, text) => {
  const committed = readFileSync(new URL(name, generatedFolder), 'utf8');
  expect(withoutComments(committed) === withoutComments(text)).toBe(true);
});

test('every operation of v1 has a method', () => {
  const holdfast = new Holdfast({ url: 'https://holdfast.example', token: 'none' });
  const methods = Object.entries(holdfast as object).flatMap(([group, own]) =>
    Object.keys(own).map((name) => `${group}.${name}`),
  );
  const operations = describedOperations(document);
  const described = operations.map((one) => [`${one.group}.${one.name}`, one.method, one.path, flagsOf(one)].join(' '));
  const read = readTable(operationTable).map(({ name, method, path, flags }) => [name, method, path, flags].join(' '));
  expect(read.toSorted()).toEqual(described.toSorted());
  const served = Object.keys(document.paths).filter((path) => path.startsWith('/v1/'));
  expect(operations.length).toBeGreaterThanOrEqual(served.length);
  expect(operations.filter(({ group, name }) => !methods.includes(`${group}.${name}`))).toEqual([]);
});

test('a method can be called by its name', () => {
  const holdfast = new Holdfast({ url: 'https://holdfast.example', token: 'none' });
  expect(holdfast.methodNames()).toEqual(expect.arrayContaining(['clients.list', 'transactions.listAs']));
  expect(() => holdfast.call('clients.get', '')).toThrow('clients.get needs {id} as text.');
  expect(() => holdfast.call('clients.steal')).toThrow('There is no method clients.steal.');
});

test('the version that the client tells is that of the package', () => {
  expect(version).toBe(manifest.version);
});

test('client and webhook verification together have at most 30 KB, minified and not compressed', async () => {
  const entry = ['index.ts', 'webhooks.ts'].map((name) => fileURLToPath(new URL(`../${name}`, import.meta.url)));
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, minify: true, target: 'es2022', lib: { entry, formats: ['es'] } },
  });
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((one) => ('output' in one ? one.output : []));
  const size = outputs.reduce((sum, file) => sum + (file.type === 'chunk' ? Buffer.byteLength(file.code) : 0), 0);
  expect(size).toBeGreaterThan(10_000);
  expect(size).toBeLessThanOrEqual(30_000);
});

test('what is published leads to JavaScript and types, and nothing else is needed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-sdk-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  buildPackage('sdk', pathToFileURL(`${folder}/`));
  const published = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  expect(published).toMatchObject({
    sideEffects: false,
    publishConfig: { provenance: true },
    exports: { '.': { types: './index.d.ts', default: './index.js' }, './webhooks': { default: './webhooks.js' } },
  });
  expect(published).not.toHaveProperty('dependencies');
  for (const entry of [published.exports['.'], published.exports['./webhooks']]) {
    expect(readFileSync(join(folder, entry.types), 'utf8')).toContain('export');
    expect(Object.keys(await import(pathToFileURL(join(folder, entry.default)).href))).not.toEqual([]);
  }
});
