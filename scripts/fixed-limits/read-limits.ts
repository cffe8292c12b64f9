// Reads the limits, deadlines and sizes that the service keeps to from its sources: constants of modules whose names say what they bound.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vite';

const root = fileURLToPath(new URL('../../', import.meta.url));

export interface FixedLimit {
  readonly file: string;
  /** As the code calls it; one of several that belong together has a dot: `retryMs.first`. */
  readonly name: string;
  readonly value: bigint | number;
  /** What the code says of it, if anything. */
  readonly meaning: string;
}

const limitName = /(?:Max|Min|Ms|Bytes|Timeouts|Seconds|Days|Hours|Rows|Lines|Size|Tries|AtATime|Share|Factor)$/;
const declaresLimit = new RegExp(`^(?:export )?const \\w*${limitName.source.slice(0, -1)}\\b`, 'm');

/** A node of the syntax tree, with the members that are read here. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly [member: string]: any;
}

const sources = new Map<string, string>();

function readSource(file: string): string {
  return sources.getOrInsertComputed(file, () => readFileSync(join(root, file), 'utf8'));
}

const bodies = new Map<string, readonly Node[]>();

/** The statements of a module. */
function statementsOf(file: string): readonly Node[] {
  return bodies.getOrInsertComputed(
    file,
    () => parseAst(readSource(file), { lang: 'ts' }).body as unknown as readonly Node[],
  );
}

const declarations = new Map<string, ReadonlyMap<string, Node>>();

/** The constants of a module, by name. */
function constantsOf(file: string): ReadonlyMap<string, Node> {
  return declarations.getOrInsertComputed(file, () => {
    const declared = statementsOf(file).map((one) =>
      one.type === 'ExportNamedDeclaration' ? one['declaration'] : one,
    );
    const constants = declared.filter((one) => one?.type === 'VariableDeclaration' && one.kind === 'const');
    const declarators = constants.flatMap((one) => one.declarations as Node[]);
    return new Map(declarators.filter(({ id }) => id.type === 'Identifier').map((one) => [one['id'].name, one]));
  });
}

/** Those of one file, in its order. What cannot be worked out from constants alone is left out. */
export function limitsOf(file: string): FixedLimit[] {
  if (!declaresLimit.test(readSource(file))) return [];
  return [...constantsOf(file)]
    .filter(([name]) => limitName.test(name) && !/^no[A-Z]/.test(name))
    .flatMap(([name, { start, init }]) => {
      const meaning = commentBefore(readSource(file), start);
      return membersOf(name, init).flatMap(([own, node]) => {
        const value = valueOf(file, node);
        return value === undefined ? [] : [{ file, name: own, value, meaning }];
      });
    });
}

/** A group of limits has one member for each. */
function membersOf(name: string, init: Node | null): (readonly [string, Node])[] {
  if (init === null) return [];
  if (init.type === 'TSAsExpression') return membersOf(name, init['expression']);
  if (init.type !== 'ObjectExpression') return [[name, init]];
  const properties = (init['properties'] as Node[]).filter(({ type }) => type === 'Property');
  return properties.flatMap(({ key, value }) => membersOf(`${name}.${key.name ?? key.value}`, value));
}

/** The sentence in front of a declaration, on one line. */
function commentBefore(source: string, start: number): string {
  const before = source
    .slice(0, start)
    .replace(/(?:export )?const $/, '')
    .trimEnd();
  if (!before.endsWith('*/')) return '';
  const comment = before.slice(before.lastIndexOf('/**') + 3, -2);
  return comment.replaceAll(/\s*\n\s*\*\s?/g, ' ').trim();
}

type Value = bigint | number;

const operations: Readonly<Record<string, (one: any, other: any) => Value>> = {
  '+': (one, other) => one + other,
  '-': (one, other) => one - other,
  '*': (one, other) => one * other,
  '/': (one, other) => one / other,
  '**': (one, other) => one ** other,
  '<<': (one, other) => one << other,
};

function valueOf(file: string, node: Node): Value | undefined {
  switch (node.type) {
    case 'Literal':
      return ['bigint', 'number'].includes(typeof node['value']) ? node['value'] : undefined;
    case 'Identifier':
      return valueOfName(file, node['name']);
    case 'BinaryExpression': {
      const [one, other] = [valueOf(file, node['left']), valueOf(file, node['right'])];
      const isKnown = one !== undefined && typeof one === typeof other;
      return isKnown ? operations[node['operator']]?.(one, other) : undefined;
    }
    default:
      return undefined;
  }
}

/** A constant of the same module, or of one that it imports it from. */
function valueOfName(file: string, name: string): Value | undefined {
  const own = constantsOf(file).get(name);
  if (own !== undefined) return own['init'] === null ? undefined : valueOf(file, own['init']);
  const imports = statementsOf(file).filter(({ type }) => type === 'ImportDeclaration');
  const from = imports.find(({ specifiers }) => specifiers.some(({ local }: Node) => local.name === name));
  const path = from?.['source'].value as string | undefined;
  return path?.startsWith('.') ? valueOfName(join(dirname(file), path), name) : undefined;
}
