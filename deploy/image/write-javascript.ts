// Writes the service as plain JavaScript into a folder: `node deploy/image/write-javascript.ts <folder>`. Types are replaced by spaces, so
// lines and columns stay. A node that runs it does not load the part of Node.js that removes types, which takes some 30 MB of memory.

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** What is copied as it is. */
const copied = ['package.json', 'LICENSE', 'migrations'];
const programs = ['deploy/health-check.ts'];

function isSource(file: string): boolean {
  return file.endsWith('.ts') && !file.endsWith('.d.ts');
}

/** What only tests and the compiler need. */
function isLeftOut(file: string): boolean {
  return /\.test\.ts$|\.d\.ts$|(?:^|\/)tsconfig\.json$/.test(file);
}

/** The names of other sources, in imports and for threads and programs that are started. */
function withNewNames(script: string, folder: string): string {
  return script.replaceAll(/'([^'\n]+)\.ts'/g, (literal, name: string) =>
    existsSync(join(folder, `${name}.ts`)) ? `'${name}.js'` : literal,
  );
}

/** Without the spaces at the end of lines that were types: sources stay in memory. */
function withoutEmptyEnds(script: string, source: string): string {
  const before = source.split('\n');
  const lines = script.split('\n').map((line, index) => (/\s$/.test(before[index] ?? '') ? line : line.trimEnd()));
  return lines.join('\n');
}

function writeFile(file: string, target: string): void {
  const path = join(root, file);
  const written = join(target, file.replace(/\.ts$/, '.js'));
  mkdirSync(dirname(written), { recursive: true });
  if (!isSource(file)) return cpSync(path, written);
  const source = readFileSync(path, 'utf8');
  const script = withoutEmptyEnds(stripTypeScriptTypes(source), source);
  return writeFileSync(written, withNewNames(script, dirname(path)));
}

function listFiles(folder: string): string[] {
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return files.map((file) => file.slice(root.length)).filter((file) => !isLeftOut(file));
}

/** The folder still needs the packages. What was written there before is replaced. */
export function writeJavaScript(target: string): void {
  for (const name of ['src', 'deploy', ...copied]) rmSync(join(target, name), { recursive: true, force: true });
  for (const file of [...listFiles('src'), ...programs]) writeFile(file, target);
  for (const name of copied) cpSync(join(root, name), join(target, name), { recursive: true });
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error('Name the folder: node deploy/image/write-javascript.ts <folder>');
  writeJavaScript(resolve(folder));
}
