// What the image runs: the service as plain JavaScript, which needs less memory than the sources.

import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { programEnvironment } from './setup/node/program-environment.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-javascript-'));
  await promisify(execFile)(process.execPath, ['deploy/image/write-javascript.ts', folder]);
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function javaScriptFiles(): Promise<string[]> {
  const files = await readdir(join(folder, 'src'), { recursive: true });
  return files.filter((file) => file.endsWith('.js'));
}

test('every source becomes one script, with the same lines; tests stay behind', async () => {
  const sources = (await readdir('src', { recursive: true })).filter((file) => /(?<!\.test|\.d)\.ts$/.test(file));
  const scripts = await javaScriptFiles();
  expect(scripts.toSorted()).toEqual(sources.map((file) => file.replace(/\.ts$/, '.js')).toSorted());
  const [source, script] = await Promise.all([
    readFile('src/main.ts', 'utf8'),
    readFile(join(folder, 'src/main.js'), 'utf8'),
  ]);
  expect(script.split('\n').length).toBe(source.split('\n').length);
});

test('no script names a source, as an import, a thread or a program', async () => {
  for (const file of await javaScriptFiles()) {
    const text = await readFile(join(folder, 'src', file), 'utf8');
    expect([file, text.match(/['"][^'"\n]*[\w-]\.ts['"]/g) ?? []]).toEqual([file, []]);
  }
});

/** Prints what Node.js and the program have loaded when the program ends. */
const preload = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  import { writeSync } from 'node:fs';
  const packages = new Set();
  registerHooks({ resolve(name, context, next) { packages.add(name); return next(name, context); } });
  process.on('exit', () => writeSync(1, JSON.stringify([...packages, ...process.moduleLoadList])));
`)}`;

/** Loads everything that a node loads at the start, and stops at a setting that it refuses. */
async function loadedBy(program: string): Promise<string[]> {
  const { NODE_COMPILE_CACHE: _cache, ...environment } = programEnvironment;
  const run = promisify(execFile)(process.execPath, ['--import', preload, program], {
    env: { ...environment, PORT: 'none' },
  });
  const { stdout, stderr } = await run.catch((error: { stdout: string; stderr: string }) => error);
  expect(stderr).toBe('PORT must be a whole number from 0 to 65535, but is "none".\n');
  return JSON.parse(stdout);
}

const stripper = 'NativeModule internal/deps/amaro/dist/index';

test('a node of the image does not load what removes types; one from the sources does', async () => {
  expect(await loadedBy(join(folder, 'src/main.js'))).not.toContain(stripper);
  expect(await loadedBy('src/main.ts')).toContain(stripper);
});

test('libraries for webhooks and mail are not loaded before they are needed', async () => {
  const loaded = await loadedBy(join(folder, 'src/main.js'));
  expect(loaded).toEqual(expect.arrayContaining(['fastify', 'pg']));
  expect(loaded.filter((name) => ['undici', 'nodemailer'].includes(name))).toEqual([]);
});
