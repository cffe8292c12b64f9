// Reads the repository's own files for the tests that hold it to its rules.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vite';

const root = fileURLToPath(new URL('../../..', import.meta.url));

export const trackedFiles = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '');

export const sourceFiles = trackedFiles.filter((path) => /^(src|tests|bench|scripts|packages)\/.*\.ts$/.test(path));
export const productionFiles = sourceFiles.filter(
  (path) => /^(src|packages)\//.test(path) && !path.endsWith('.test.ts'),
);

const texts = new Map<string, string>();

/** Read once: most rules look at every file. */
export function readText(path: string): string {
  const known = texts.get(path);
  if (known !== undefined) return known;
  const text = readFileSync(join(root, path), 'utf8');
  texts.set(path, text);
  return text;
}

/** The files that a file imports, types included. */
export function importsOf(path: string): string[] {
  const found = [...readText(path).matchAll(/(?:from|import\()\s*'(\.[^']+\.ts)'/g)].map((match) => match[1]!);
  return found.map((target) => normalize(join(dirname(path), target)));
}

/** Leaves out, again and again, the files all of whose imports are left out: what remains is in a circle or leads to one. */
function withoutEnds(imports: Map<string, readonly string[]>): Map<string, readonly string[]> {
  const kept = new Map(imports);
  for (let before = -1; before !== kept.size;) {
    before = kept.size;
    for (const [path, targets] of kept) if (!targets.some((target) => kept.has(target))) kept.delete(path);
  }
  return kept;
}

/** The groups of files that import each other in a circle. */
export function importCycles(paths: readonly string[], importsOfPath = importsOf): string[][] {
  const imports = withoutEnds(new Map(paths.map((path) => [path, importsOfPath(path)])));
  const reachable = new Map<string, Set<string>>();
  const reach = (from: string): Set<string> => {
    const known = reachable.get(from);
    if (known !== undefined) return known;
    const found = new Set<string>();
    const pending = [from];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      for (const target of imports.get(next) ?? []) {
        if (found.has(target)) continue;
        found.add(target);
        pending.push(target);
      }
    }
    reachable.set(from, found);
    return found;
  };
  const circular = [...imports.keys()].filter((path) => reach(path).has(path));
  const groups = circular.map((path) => circular.filter((other) => reach(path).has(other) && reach(other).has(path)));
  return [...new Map(groups.map((group) => [group.join(' '), group])).values()];
}

export interface SyntaxNode {
  readonly type: string;
  /** The position in the file. */
  readonly start: number;
  readonly name?: unknown;
}

/** Calls `visit` with each node of a file's syntax tree. */
export function visitSyntax(path: string, visit: (node: SyntaxNode) => void): void {
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(walk);
    if (typeof value !== 'object' || value === null) return;
    if ('type' in value && typeof value.type === 'string') visit(value as SyntaxNode);
    Object.values(value).forEach(walk);
  };
  walk(parseAst(readText(path), { lang: 'ts' }));
}
