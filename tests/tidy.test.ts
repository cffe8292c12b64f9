// Holds the repository's own text to the rules of the project: layers, folders, names and words.

import { basename, dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { instrumentTypes } from '../src/model/instrument/instrument.ts';
import {
  importCycles,
  importsOf,
  productionFiles,
  readText,
  sourceFiles,
  trackedFiles,
} from './setup/repository/repository-text.ts';

const layers: Readonly<Record<string, number>> = {
  kit: 0,
  model: 1,
  engine: 2,
  store: 2,
  signing: 2,
  gateways: 2,
  statements: 2,
  actions: 3,
  surfaces: 4,
  jobs: 4,
};

/** `src/store/resources/table.ts` → `store`; `src/main.ts` and `src/app/` are the entrance and may use everything. */
function folderOf(path: string): string {
  const [, folder = '', ...rest] = path.split('/');
  return rest.length === 0 || folder === 'app' ? 'entrance' : folder;
}

/** Why one file may not import another, or undefined where it may. */
export function forbidden(from: string, to: string): string | undefined {
  const [fromFolder, toFolder] = [folderOf(from), folderOf(to)];
  if (fromFolder === 'entrance') return undefined;
  if (toFolder === 'entrance') return 'nothing imports the entrance';
  const [fromLayer, toLayer] = [layers[fromFolder], layers[toFolder]];
  if (fromLayer === undefined || toLayer === undefined) return `${fromFolder} or ${toFolder} has no layer`;
  if (toLayer > fromLayer) return 'imports go to lower layers only';
  if (toLayer === fromLayer && toFolder !== fromFolder) return 'folders of one layer do not import each other';
  return fromFolder === 'surfaces' && toFolder === 'surfaces' ? forbiddenBetweenSurfaces(from, to) : undefined;
}

/** A wire may use `http/` and, if it speaks snake_case, `snake-case/`. Only the list of everything served uses all. */
function forbiddenBetweenSurfaces(from: string, to: string): string | undefined {
  const [fromWire, toWire] = [from.split('/')[2]!, to.split('/')[2]!];
  if (fromWire.endsWith('.ts') || fromWire === toWire || toWire === 'http') return undefined;
  if (toWire === 'snake-case' && ['plain', 'v1'].includes(fromWire)) return undefined;
  return `${fromWire} may not use ${toWire}`;
}

describe('layers', () => {
  test('the service imports lower layers only', () => {
    const wrong = productionFiles
      .filter((path) => path.startsWith('src/'))
      .flatMap((path) => importsOf(path).map((target) => [path, target, forbidden(path, target)] as const))
      .filter(([, , why]) => why);
    expect(wrong).toEqual([]);
  });

  test('packages import nothing of the service', () => {
    const wrong = productionFiles
      .filter((path) => path.startsWith('packages/'))
      .flatMap((path) => {
        const ownFolder = path.split('/').slice(0, 2).join('/');
        return importsOf(path).flatMap((target) => (target.startsWith(`${ownFolder}/`) ? [] : [[path, target]]));
      });
    expect(wrong).toEqual([]);
  });

  test.each([
    ['src/kit/id.ts', 'src/model/structure/client.ts', 'imports go to lower layers only'],
    ['src/store/resources/table.ts', 'src/signing/cursor.ts', 'folders of one layer do not import each other'],
    ['src/store/resources/table.ts', 'src/main.ts', 'nothing imports the entrance'],
    [
      'src/surfaces/json-api/resource-paths.ts',
      'src/surfaces/snake-case/snake-case-object.ts',
      'json-api may not use snake-case',
    ],
    ['src/surfaces/http/pipeline/server.ts', 'src/surfaces/v1/wire.ts', 'http may not use v1'],
    ['src/help/x.ts', 'src/kit/id.ts', 'help or kit has no layer'],
    ['src/surfaces/v1/resource-paths.ts', 'src/surfaces/snake-case/snake-case-object.ts', undefined],
  ])('%s importing %s: %s', (from, to, why) => {
    expect(forbidden(from, to)).toBe(why);
  });
});

describe('wires', () => {
  const wireName =
    /\bjson-?api\b|JSON:API|\bv1\b|\bjsonApi|\bv1[A-Z]|[a-z]V1\b|'plain'|\bPlain (shape|wire|JSON)|\bWireName\b/;
  const below = productionFiles.filter((path) => (layers[folderOf(path)] ?? 0) < layers['surfaces']!);

  test('nothing below the surfaces names a wire', () => {
    const paths = below.filter((path) => path.startsWith('src/') && folderOf(path) !== 'entrance');
    expect(paths.filter((path) => wireName.test(readText(path)))).toEqual([]);
  });

  test.each(["view: 'v1'", "on: ['json-api']", 'jsonApiSegment', 'renderForV1', 'The host of the JSON:API shapes.'])(
    '%s names one',
    (text) => {
      expect(text).toMatch(wireName);
    },
  );
});

describe('import cycles', () => {
  test('no two files import each other, directly or through others', () => {
    expect(importCycles(sourceFiles)).toEqual([]);
  });

  test('a cycle is found, types included, without files that only lead to it', () => {
    const imports = new Map([
      ['a', ['b']],
      ['b', ['c']],
      ['c', ['b', 'd']],
      ['d', []],
    ]);
    expect(importCycles([...imports.keys()], (path) => imports.get(path) ?? [])).toEqual([['b', 'c']]);
  });
});

describe('folders', () => {
  const folders = new Set(sourceFiles.map((path) => dirname(path)));

  test('the entry file of a subject is inside its folder', () => {
    const beside = productionFiles.filter((path) => folders.has(path.replace(/\.ts$/, '')));
    expect(beside).toEqual([]);
  });
});

describe('documents', () => {
  const documents = trackedFiles.filter((path) => path.endsWith('.md') && path !== 'CHANGELOG.md');
  const named = /(?<![\w./*{}-])(?:[\w.-]+\/)*[\w.-]+\.(?:ts|sql|cjs|json|jsonl|md|ledger|yml)(?![\w*{}/-])/g;
  /** Files that a document speaks of and that are not part of the repository. */
  const elsewhere = new Set(['openapi.json', 'package.json', 'manifest.json']);

  function isThere(path: string): boolean {
    return elsewhere.has(path) || trackedFiles.some((file) => file === path || file.endsWith(`/${path}`));
  }

  test('every file that they name exists', () => {
    const missing = documents.flatMap((document) => {
      const text = readText(document).replaceAll(/https?:\/\/\S+/g, '');
      return [...text.matchAll(named)]
        .map(([path]) => path.replace(/^(\.\.?\/)+/, ''))
        .flatMap((path) => (isThere(path) ? [] : [[document, path]]));
    });
    expect(missing).toEqual([]);
  });
});

describe('long lists', () => {
  test('none is spread into a call, which takes some hundred thousand arguments at most', () => {
    const spread = /\.(?:push|unshift)\(\.\.\.|Math\.(?:min|max)\([^()]*\.\.\./;
    const code = (path: string): string => readText(path).replaceAll(/^\s*\/\/.*$/gm, '');
    const served = productionFiles.filter((path) => path.startsWith('src/'));
    expect(served.filter((path) => spread.test(code(path)))).toEqual([]);
  });
});

describe('one way to the database', () => {
  test('only the store, and the app that builds it, use Database directly', () => {
    const others = productionFiles.filter((path) => !path.startsWith('src/store/') && !path.startsWith('src/app/'));
    expect(others.filter((path) => importsOf(path).includes('src/store/postgres/database.ts'))).toEqual([]);
  });

  test('only the store runs statements', () => {
    const others = productionFiles.filter((path) => !path.startsWith('src/store/'));
    const usesStatements = (path: string): boolean =>
      importsOf(path).some((target) => /^src\/store\/postgres\/(statement|statement-runner)\.ts$/.test(target));
    expect(others.filter((path) => usesStatements(path) || /\bstore\.run\b/.test(readText(path)))).toEqual([]);
  });
});

describe('names and opening lines', () => {
  test('every file is named in kebab-case, after what it is', () => {
    const inKebabCase = /^[a-z0-9]+(-[a-z0-9]+)*(\.test|\.config)?\.ts$/;
    const afterNothing = /\b(utils?|helpers?|common|manager|service-base|misc)\b/;
    const names = sourceFiles.map((path) => basename(path));
    expect(names.filter((name) => !inKebabCase.test(name) || afterNothing.test(name))).toEqual([]);
  });

  test('every file opens by saying what it is for', () => {
    const opening = /^(#!.*\n)?\/\/ [A-Z/`].{20,}/;
    expect(productionFiles.filter((path) => !opening.test(readText(path)))).toEqual([]);
  });

  test('no file names a machine path or a to-do', () => {
    const textFiles = trackedFiles.filter(
      (path) => /\.(ts|md|sql|cjs|json)$/.test(path) && path !== 'package-lock.json' && path !== 'tests/tidy.test.ts',
    );
    expect(textFiles.filter((path) => /\/work\/|\/root\/|\b(TODO|FIXME)\b/.test(readText(path)))).toEqual([]);
  });

  test('no test is skipped or focused', () => {
    const tests = sourceFiles.filter((path) => path.endsWith('.test.ts') && path !== 'tests/tidy.test.ts');
    expect(
      tests.filter((path) => /\b(test|describe|it)\.(skip|only|todo|skipIf|runIf)\b/.test(readText(path))),
    ).toEqual([]);
  });
});

describe('instrument types', () => {
  const literals = instrumentTypes.map(({ type }) => new RegExp(`['"\`]${type}['"\`]`));

  /** The declarations themselves, the data of demo and sandbox, and what others install, which speaks to a service as its users do. */
  const exempt = ['src/model/instrument/', 'src/actions/demo/', 'src/actions/sandbox/', 'packages/'];

  test('no file names a type instead of asking for a trait', () => {
    const patterns = [...literals, /(starts|ends)With\('[a-z-]*(instrument|contract|fund)'\)/];
    const found = productionFiles
      .filter((path) => !exempt.some((folder) => path.startsWith(folder)))
      .flatMap((path) => {
        const text = readText(path);
        return patterns.flatMap((pattern) => (pattern.test(text) ? [`${path}: ${String(pattern)}`] : []));
      });
    expect(found).toEqual([]);
  });
});
