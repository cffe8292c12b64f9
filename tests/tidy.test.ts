// The house rules as tests over the repository's own text: floors, sizes, names, opening lines. The linter holds functions
// to their size.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '');
const sources = tracked.filter((path) => /^(src|packages|tests|bench|scripts)\/.*\.ts$/.test(path));
const production = sources.filter((path) => /^(src|packages)\//.test(path) && !path.endsWith('.test.ts'));

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

const floors: Readonly<Record<string, number>> = {
  kit: 0,
  model: 1,
  engine: 2,
  store: 2,
  signing: 2,
  gateways: 2,
  actions: 3,
  surfaces: 4,
  jobs: 4,
};

/** `src/store/resources/table.ts` → `store`; `src/main.ts` and `src/app/` are the entrance and may use everything. */
function roomOf(path: string): string {
  const [, room = '', ...rest] = path.split('/');
  return rest.length === 0 || room === 'app' ? 'entrance' : room;
}

function importsOf(path: string): string[] {
  const found = [...read(path).matchAll(/(?:from|import\()\s*'(\.[^']+\.ts)'/g)].map((match) => match[1]!);
  return found.map((target) => normalize(join(dirname(path), target)));
}

/** Why one file may not import another, or undefined where it may. */
export function forbidden(from: string, to: string): string | undefined {
  const [fromRoom, toRoom] = [roomOf(from), roomOf(to)];
  if (fromRoom === 'entrance') return undefined;
  if (toRoom === 'entrance') return 'the entrance is imported by nobody';
  const [fromFloor, toFloor] = [floors[fromRoom], floors[toRoom]];
  if (fromFloor === undefined || toFloor === undefined) return `no floor is named for ${fromRoom} or ${toRoom}`;
  if (toFloor > fromFloor) return 'imports go to lower floors only';
  if (toFloor === fromFloor && toRoom !== fromRoom) return 'rooms on one floor do not import each other';
  return fromRoom === 'surfaces' && toRoom === 'surfaces' ? forbiddenBetweenSurfaces(from, to) : undefined;
}

/** A wire may use `http/` and, if it speaks snake_case, `snake-case/`. Only the list of everything served uses all. */
function forbiddenBetweenSurfaces(from: string, to: string): string | undefined {
  const [fromWire, toWire] = [from.split('/')[2]!, to.split('/')[2]!];
  if (fromWire.endsWith('.ts') || fromWire === toWire || toWire === 'http') return undefined;
  if (toWire === 'snake-case' && ['plain', 'v1'].includes(fromWire)) return undefined;
  return `${fromWire} may not use ${toWire}`;
}

describe('floors', () => {
  test.each(production.filter((path) => path.startsWith('src/')))('%s imports lower floors only', (path) => {
    const wrong = importsOf(path)
      .map((target) => [target, forbidden(path, target)] as const)
      .filter(([, why]) => why);
    expect(wrong).toEqual([]);
  });

  test.each(production.filter((path) => path.startsWith('packages/')))('%s imports nothing of the service', (path) => {
    const ownFolder = path.split('/').slice(0, 2).join('/');
    expect(importsOf(path).filter((target) => !target.startsWith(`${ownFolder}/`))).toEqual([]);
  });

  test.each([
    ['src/kit/id.ts', 'src/model/structure/client.ts', 'imports go to lower floors only'],
    ['src/store/resources/table.ts', 'src/signing/cursor.ts', 'rooms on one floor do not import each other'],
    ['src/store/resources/table.ts', 'src/main.ts', 'the entrance is imported by nobody'],
    [
      'src/surfaces/json-api/resource-paths.ts',
      'src/surfaces/snake-case/snake-case-object.ts',
      'json-api may not use snake-case',
    ],
    ['src/surfaces/http/pipeline/server.ts', 'src/surfaces/v1/wire.ts', 'http may not use v1'],
    ['src/help/x.ts', 'src/kit/id.ts', 'no floor is named for help or kit'],
    ['src/surfaces/v1/resource-paths.ts', 'src/surfaces/snake-case/snake-case-object.ts', undefined],
  ])('%s importing %s: %s', (from, to, why) => {
    expect(forbidden(from, to)).toBe(why);
  });
});

describe('sizes', () => {
  const linesMax = 300;

  test.each(production)(`%s has at most ${linesMax} lines`, (path) => {
    expect(read(path).split('\n').length).toBeLessThanOrEqual(linesMax);
  });

  test('the median file is short', () => {
    const sizes = production.map((path) => read(path).split('\n').length).toSorted((a, b) => a - b);
    expect(sizes[Math.floor(sizes.length / 2)]).toBeLessThanOrEqual(120);
  });
});

describe('names and opening lines', () => {
  test.each(sources)('%s is named in kebab-case, after what it is', (path) => {
    expect(basename(path)).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*(\.test|\.config)?\.ts$/);
    expect(basename(path)).not.toMatch(/\b(utils?|helpers?|common|manager|service-base|misc)\b/);
  });

  test.each(production)('%s opens by saying what it is for', (path) => {
    expect(read(path)).toMatch(/^\/\/ [A-Z/`].{20,}/);
  });

  test('no file names a machine path or a to-do', () => {
    const textFiles = tracked.filter(
      (path) => /\.(ts|md|sql|cjs|json)$/.test(path) && path !== 'package-lock.json' && path !== 'tests/tidy.test.ts',
    );
    expect(textFiles.filter((path) => /\/work\/|\/root\/|\b(TODO|FIXME)\b/.test(read(path)))).toEqual([]);
  });

  test('no test is skipped or focused', () => {
    const tests = sources.filter((path) => path.endsWith('.test.ts') && path !== 'tests/tidy.test.ts');
    expect(tests.filter((path) => /\b(test|describe|it)\.(skip|only|todo|skipIf|runIf)\b/.test(read(path)))).toEqual(
      [],
    );
  });
});
