// Tests the mutants of `npm run mutate`: which changes it makes to a source, which it leaves out, and which it chooses.

import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { chooseMutants } from '../scripts/mutate/choose-mutants.ts';
import { applyMutant, describeMutant, listMutants, type MutantKind } from '../scripts/mutate/mutants.ts';
import { rateLines } from '../scripts/mutate/results.ts';
import { testsWithin, testsWithout, type Outcome } from '../scripts/mutate/run-mutant.ts';
import { mergeCalled, TestMap } from '../scripts/mutate/test-map.ts';

/** The source after each mutant of a kind, or of all kinds. */
function mutations(source: string, kind?: MutantKind): string[] {
  const mutants = listMutants('one.ts', source).filter((mutant) => kind === undefined || mutant.kind === kind);
  return mutants.map((mutant) => applyMutant(source, mutant));
}

describe('a mutant of code', () => {
  test.each<[string, string, readonly string[]]>([
    ['moves a bound', 'f(a < b)', ['f(a <= b)']],
    ['turns an equality round', 'f(a === b)', ['f(a !== b)']],
    ['negates a condition', 'f(a ? b : c)', ['f(!(a) ? b : c)']],
    ['exchanges an operator', 'f(a - b)', ['f(a + b)']],
    ['weakens a condition of two', 'f(a && b)', ['f(a || b)']],
    ['drops a fallback', 'f(a ?? b)', ['f(a)']],
    ['moves a constant by one', 'f(1_000, 18n)', ['f(1001, 18n)', 'f(1_000, 19n)']],
    ['respects the brackets around an operand', 'f((a) + (b))', ['f((a) - (b))']],
    ['counts characters outside the basic plane', "g('😀', a < b)", ["g('😀', a <= b)"]],
  ])('%s: %s', (_what, source, expected) => {
    expect(mutations(`x = ${source}`).filter((one) => one !== ';')).toEqual(expected.map((one) => `x = ${one}`));
  });

  test('of an order of two values changes which comes first, not how far the result is from 0', () => {
    expect(mutations('x = sorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))', 'constant')).toEqual([
      'x = sorted((a, b) => (a < b ? -1 : a > b ? 1 : 1))',
    ]);
    expect(mutations('x = a < 0 ? -1 : 1', 'constant')).toHaveLength(3);
  });

  test('of a choice between two values that are compared leaves what is done with equal ones', () => {
    for (const source of [
      'x = a < b ? a : b',
      'x = a < 0n ? 0n : a',
      'if (day > last) last = day;',
      'if (day > last) { last = day; }',
      'x = sorted((a, b) => (a.id < b.id ? -1 : 1))',
    ])
      expect(mutations(source, 'bound')).toEqual([]);
    expect(mutations('x = a < b ? a : c', 'bound')).toEqual(['x = a <= b ? a : c']);
    expect(mutations('if (day > last) first = day;', 'bound')).toHaveLength(1);
    expect(mutations('if (day > last) { last = day; count(); }', 'bound')).toHaveLength(1);
    expect(mutations('if (day > last) last = day; else count();', 'bound')).toHaveLength(1);
    expect(mutations('x = sorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))', 'bound')).toHaveLength(2);
  });

  test('keeps the end of a switch that is never reached', () => {
    expect(mutations("function f() { return unreachable(kind, 'the kind'); }")).toEqual([]);
    expect(mutations("function f() { return defined(kind, 'there is one'); }")).toHaveLength(1);
  });

  test('keeps the names of errors', () => {
    expect(mutations("class F extends Error { constructor() { super(); this.name = 'F'; } }")).toEqual([]);
    expect(mutations("class F { constructor() { this.label = 'F'; } }")).toHaveLength(1);
  });

  test('of an operator counts as reached with its first operand, of a value with itself', () => {
    const places = (source: string): string[] =>
      listMutants('example.ts', source).map(({ kind, reachedAt }) => `${kind} ${source.slice(reachedAt)}`);
    expect(places('const x = a && b(7)')).toEqual(['logic a && b(7)', 'constant 7)']);
    expect(places('const x = a ?? 7')).toEqual(['fallback a ?? 7', 'constant 7']);
  });

  test('removes a statement and a result', () => {
    expect(mutations('function f() { g(); return h; }')).toEqual([
      'function f() { ; return h; }',
      'function f() { g(); return undefined; }',
    ]);
  });

  test.each([
    ['a type', 'type A = { a: 1 | 2 }; const f = (a: 1): 2 => a as 3;'],
    ['a text', "const text = 'a < b && c';"],
    ['a regular expression', 'const pattern = /a < 1/;'],
    ['a comment', '// a < b\nlet a;'],
    ['what only states a truth', "assert(a < b, 'it is less');"],
    ['the fields of an object', 'class A { constructor(a) { this.a = a; } }'],
    ['joined texts', "const text = a + 'b';"],
    ['a result of nothing', 'function f() { return undefined; }'],
    ['a place in an array', 'const first = list[0];'],
  ])('leaves %s alone', (_what, source) => {
    expect(mutations(source)).toEqual([]);
  });

  test('is known by its line and the functions around it', () => {
    const source = 'class A {\n  #method() {\n    const inner = () => a < b;\n    return inner;\n  }\n}';
    const [bound] = listMutants('one.ts', source);
    expect(bound).toMatchObject({ line: 3, kind: 'bound', functions: ['inner', '#method'] });
    expect(describeMutant(source, bound!)).toEqual({
      before: 'const inner = () => a < b;',
      after: 'const inner = () => a <= b;',
    });
  });
});

test.each<[string, string | undefined]>([
  ['class A { get #one() { return a; } }', 'get #one'],
  ['x = { set two(b) { c = a + b; } }', 'set two'],
  ["x = { 'with-dash': () => a + b }", 'with-dash'],
  ['x = { [computed]: () => a + b }', undefined],
  ['x = () => a + b', 'x'],
  ['const { x = () => a + b } = c', 'x'],
  ['x.y = () => a + b', undefined],
  ['static_(() => a + b)', undefined],
])('a function of `%s` is known by the name that the engine gives it: %s', (source, name) => {
  const named = listMutants('one.ts', source).filter(({ kind }) => kind === 'arithmetic' || kind === 'result');
  expect(named.map(({ functions }) => functions[0])).toEqual([name]);
});

test('a constant outside of functions is known by the functions that use it, by way of other constants too', () => {
  const source =
    'const a = 1; const b = a; class C { m() { return b; } } const f = () => a + 2; function g(c: 3) { c = 4; }';
  const constants = listMutants('one.ts', source).filter(({ kind }) => kind === 'constant');
  expect(constants.map(({ functions, users }) => [functions, users])).toEqual([
    [[], ['f', 'm']],
    [['f'], []],
    [['g'], []],
  ]);
});

describe('a mutant of SQL', () => {
  const sql = (text: string): string[] => mutations(`const text = \`${text}\``).map((one) => one.slice(14, -1));

  test('drops one condition, and still names its parameters', () => {
    expect(sql('DELETE FROM a WHERE b = $1 AND c = ANY ($2::text[]) RETURNING d')).toEqual([
      'DELETE FROM a WHERE (b = $1 OR true) AND c = ANY ($2::text[]) RETURNING d',
      'DELETE FROM a WHERE b = $1 AND (c = ANY ($2::text[]) OR true) RETURNING d',
    ]);
  });

  test('drops a lock and moves a bound', () => {
    expect(sql('AND due_at <= $7 FOR NO KEY UPDATE')).toEqual([
      'AND (due_at <= $7 OR true) FOR NO KEY UPDATE',
      'AND due_at < $7 FOR NO KEY UPDATE',
      'AND due_at <= $7 ',
    ]);
  });

  test('ends a condition at the bracket around it, and not within `DISTINCT FROM`', () => {
    expect(sql('(SELECT WHERE a IS NOT DISTINCT FROM b)')).toEqual([
      '(SELECT WHERE (a IS NOT DISTINCT FROM b OR true))',
    ]);
  });

  test.each(['AND ${a} = $1', 'WHERE a = ${b}', 'x BETWEEN a AND b', 'a and b = c'])('leaves `%s` alone', (text) => {
    expect(sql(text)).toEqual([]);
  });
});

describe('the chosen mutants', () => {
  const source = Array.from({ length: 50 }, (_none, index) => `f(a${index} < b && c${index} + ${index});`).join('\n');
  const all = listMutants('one.ts', source);

  test('are the same for the same seed, and others for another', () => {
    expect(chooseMutants(all, 20, 1)).toEqual(chooseMutants(all, 20, 1));
    expect(chooseMutants(all, 20, 2)).not.toEqual(chooseMutants(all, 20, 1));
  });

  test('of a small sample are of other kinds for another seed', () => {
    const kinds = new Set([1, 2, 3, 4, 5, 6, 7, 8].map((seed) => chooseMutants(all, 1, seed)[0]!.kind));
    expect(kinds.size).toBeGreaterThan(2);
  });

  test('are on different lines and of all kinds', () => {
    const chosen = chooseMutants(all, 20, 1);
    expect(new Set(chosen.map(({ line }) => line)).size).toBe(20);
    expect(
      Object.fromEntries(
        Map.groupBy(chosen, ({ kind }) => kind)
          .entries()
          .map(([kind, { length }]) => [kind, length]),
      ),
    ).toEqual({ arithmetic: 4, bound: 4, constant: 4, logic: 4, removed: 4 });
    expect(chooseMutants(all, 1_000, 1)).toHaveLength(50);
  });
});

describe('the tests of a mutant', () => {
  const source = 'the source';
  const called = (...functions: string[]) => ({ functions, source: hash('sha256', source), unreached: [] });
  const map = new TestMap([
    { test: 'slow', ms: 900, files: { 'one.ts': called('outer', 'inner') } },
    { test: 'fast', ms: 100, files: { 'one.ts': { ...called('outer'), unreached: [[10, 20]] } } },
    { test: 'other', ms: 10, files: { 'two.ts': called('inner') } },
  ]);
  const testsFor = (functions: readonly string[], reachedAt = 0, text = source): string[] =>
    map.testsFor({ file: 'one.ts', functions, users: [], reachedAt }, text).map(({ test }) => test);

  test('are those that call its function, the fastest first', () => {
    expect([testsFor(['inner', 'outer']), testsFor(['unknown', 'outer']), testsFor([])]).toEqual([
      ['slow'],
      ['fast', 'slow'],
      ['fast', 'slow'],
    ]);
  });

  test('begin with the one of the same name, then with those that are about it rather than about many', () => {
    const own = { 'one.ts': called('outer') };
    const many = { 'two.ts': called('a', 'b', 'c'), 'three.ts': called('d', 'e', 'f') };
    const ordered = new TestMap([
      { test: 'many.test.ts', ms: 100, files: { ...own, ...many } },
      { test: 'few.test.ts', ms: 300, files: own },
      { test: 'other/one.test.ts', ms: 2_000, files: { ...own, ...many } },
    ]).testsFor({ file: 'one.ts', functions: ['outer'], users: [], reachedAt: 0 }, source);
    expect(ordered.map(({ test }) => test)).toEqual(['other/one.test.ts', 'few.test.ts', 'many.test.ts']);
  });

  test('come in turns: by what they cost, and by the words of their names, of which rare ones count more', () => {
    const files = { 'src/jobs/lease-end.ts': called('outer') };
    const names = ['contract/web/pages', 'jobs/pages', 'contract/queues/pages', 'contract/jobs/end'];
    const tests = names.map((name) => `tests/${name}.test.ts`);
    const ordered = new TestMap(tests.map((test) => ({ test, ms: 100, files }))).testsFor(
      { file: 'src/jobs/lease-end.ts', functions: ['outer'], users: [], reachedAt: 12 },
      'let pages;\nclearQueues();',
    );
    expect(ordered.map(({ test }) => test)).toEqual([tests[0], tests[3], tests[1], tests[2]]);
  });

  test('of a constant begin with those that call what uses it', () => {
    const using = new TestMap([
      { test: 'fast', ms: 1, files: { 'one.ts': called('other') } },
      { test: 'slow', ms: 900, files: { 'one.ts': called('other', 'user') } },
    ]).testsFor({ file: 'one.ts', functions: [], users: ['user'], reachedAt: 0 }, source);
    expect(using.map(({ test }) => test)).toEqual(['slow', 'fast']);
  });

  test('of what is declared begin with the description of the API', () => {
    const contract = 'tests/contract/http/openapi-unchanged.test.ts';
    const files = { 'one.ts': called('outer') };
    const declared = new TestMap([
      { test: 'fast', ms: 1, files },
      { test: contract, ms: 5_000, files },
    ]);
    const first = (functions: readonly string[]): string | undefined =>
      declared.testsFor({ file: 'one.ts', functions, users: [], reachedAt: 0 }, source)[0]?.test;
    expect([first([]), first(['outer'])]).toEqual([contract, 'fast']);
    const ofModel = { 'src/model/one.ts': called('outer') };
    const modelled = new TestMap([
      { test: 'fast', ms: 1, files: ofModel },
      { test: contract, ms: 5_000, files: ofModel },
    ]).testsFor({ file: 'src/model/one.ts', functions: ['outer'], users: [], reachedAt: 0 }, source);
    expect(modelled[0]?.test).toBe(contract);
  });

  test('of what the model or a wire declares have the description of the API, which calls nothing there', () => {
    const contract = 'tests/contract/http/openapi-unchanged.test.ts';
    const files = Object.fromEntries(
      ['src/model/one.ts', 'src/surfaces/v1/one.ts', 'src/surfaces/web/one.ts'].map((file) => [file, called('outer')]),
    );
    const map = new TestMap([
      { test: 'tests/fast.test.ts', ms: 1, files },
      { test: 'src/model/one.test.ts', ms: 9, files: { 'src/model/one.ts': called('outer') } },
      { test: contract, ms: 5_000, files: {} },
    ]);
    const tests = (file: string, functions: readonly string[] = []): string[] =>
      map.testsFor({ file, functions, users: [], reachedAt: 0 }, source).map(({ test }) => test);
    expect(tests('src/model/one.ts')).toEqual(['src/model/one.test.ts', contract, 'tests/fast.test.ts']);
    expect(tests('src/surfaces/v1/one.ts')).toEqual([contract, 'tests/fast.test.ts']);
    expect(tests('src/surfaces/web/one.ts')).toEqual(['tests/fast.test.ts']);
    expect(tests('src/model/one.ts', ['outer'])).toEqual(['src/model/one.test.ts', 'tests/fast.test.ts']);
  });

  test('of a statement of the store have the rules for all statements', () => {
    const rules = 'src/store/postgres/distribution/distribution-rules.test.ts';
    const files = { 'src/store/one.ts': called('outer'), 'src/jobs/one.ts': called('outer') };
    const map = new TestMap([
      { test: 'tests/fast.test.ts', ms: 1, files },
      { test: rules, ms: 5_000, files: {} },
    ]);
    const tests = (file: string): string[] =>
      map.testsFor({ file, functions: [], users: [], reachedAt: 0 }, source).map(({ test }) => test);
    expect(tests('src/store/one.ts')).toEqual([rules, 'tests/fast.test.ts']);
    expect(tests('src/jobs/one.ts')).toEqual(['tests/fast.test.ts']);
  });

  test('are those that reach its place, as long as the source is the same', () => {
    expect([9, 10, 19, 20].map((place) => testsFor(['outer'], place).length)).toEqual([2, 1, 1, 2]);
    expect(testsFor(['outer'], 10, 'another source')).toEqual(['fast', 'slow']);
  });

  test('of a file that only declares, or that only runs, are the one of its name or those of the files that use it', () => {
    const importers: Record<string, string[]> = { 'words.ts': ['list.ts'], 'list.ts': ['one.ts', 'words.ts'] };
    const using = new TestMap(
      [
        { test: 'slow', ms: 900, files: { 'one.ts': called('outer') } },
        { test: 'fast', ms: 100, files: { 'one.ts': called('outer') } },
        { test: 'other', ms: 10, files: { 'two.ts': called('inner') } },
        { test: 'program.test.ts', ms: 10, files: {} },
      ],
      (file) => importers[file] ?? [],
    );
    const found = (file: string): string[] =>
      using.testsFor({ file, functions: [], users: [], reachedAt: 0 }, source).map(({ test }) => test);
    expect([found('words.ts'), found('alone.ts'), found('program.ts')]).toEqual([
      ['fast', 'slow'],
      [],
      ['program.test.ts'],
    ]);
  });

  test('are those whose threads and programs reach it, too', () => {
    const entries = [
      { test: 'threaded', ms: 0, files: { 'one.ts': called('inner'), 'two.ts': called('other') } },
      { test: 'threaded', ms: 70, files: { 'one.ts': called('outer', 'inner') } },
      { test: 'alone', ms: 5, files: {} },
    ];
    expect(mergeCalled(entries)).toEqual([
      { test: 'threaded', ms: 70, files: { 'one.ts': called('inner', 'outer'), 'two.ts': called('other') } },
      { test: 'alone', ms: 5, files: {} },
    ]);
    const parts = (...unreached: [number, number][]) => ({ 'one.ts': { ...called('inner'), unreached } });
    const both = ['main', 'thread'].map((_who, index) => ({
      test: 'both',
      ms: 1,
      files: index === 0 ? parts([1, 2], [3, 4]) : parts([3, 4]),
    }));
    expect(mergeCalled(both)[0]?.files).toEqual(parts([3, 4]));
  });

  test('run no longer than they may, but one of them runs always', () => {
    const covering = map.testsFor({ file: 'one.ts', functions: ['outer'], users: [], reachedAt: 0 }, source);
    expect([50, 999, 1_000].map((budget) => testsWithin(covering, budget).length)).toEqual([1, 1, 2]);
    const [slow, fast] = covering.toReversed();
    expect(testsWithin([fast!, slow!, { ...fast!, test: 'last' }], 250).map(({ test }) => test)).toEqual([
      'fast',
      'last',
    ]);
  });

  test('run at the end for what survived, if they had no turn', () => {
    const covering = map.testsFor({ file: 'one.ts', functions: ['outer'], users: [], reachedAt: 0 }, source);
    const names = (budget: number) => testsWithout(covering, budget).map(({ test }) => test);
    expect([50, 1_000].map(names)).toEqual([['slow'], []]);
  });
});

test('the rate of a folder counts what can be compiled', () => {
  const [mutant] = listMutants('src/store/one.ts', 'f(a < b)');
  const result = (outcome: Outcome) => ({ mutant: mutant!, outcome, tests: 1, covering: 1 });
  const results = [result('noticed'), result('survived'), result('refused by types')];
  expect(rateLines(results)).toEqual(['', 'src/store          50 %   1 of 2', 'all                50 %   1 of 2']);
});
