// Makes mutants of a source file: small changes of behaviour, each of which some test should notice.

import { parseSync } from 'vite';
import { sqlChanges } from './sql-changes.ts';

export interface Mutant {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly start: number;
  readonly end: number;
  /** The place that a test must reach: that of an operator is its first operand, since it decides whether the other one is reached. */
  readonly reachedAt: number;
  readonly replacement: string;
  readonly kind: MutantKind;
  /** The named functions around it, the innermost first; none for what a module does when it is loaded. */
  readonly functions: readonly string[];
  /** The functions that use the constant it belongs to, by way of other constants too, if it is in none itself. */
  readonly users: readonly string[];
}

export type MutantKind =
  | 'condition'
  | 'bound'
  | 'equality'
  | 'arithmetic'
  | 'logic'
  | 'fallback'
  | 'removed'
  | 'constant'
  | 'result'
  | 'sql';

/** A node of the syntax tree, with the members that are read here. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: any;
}

const swappedOperators: Readonly<Record<string, readonly [MutantKind, string]>> = {
  '<': ['bound', '<='],
  '<=': ['bound', '<'],
  '>': ['bound', '>='],
  '>=': ['bound', '>'],
  '===': ['equality', '!=='],
  '!==': ['equality', '==='],
  '+': ['arithmetic', '-'],
  '-': ['arithmetic', '+'],
  '*': ['arithmetic', '+'],
  '/': ['arithmetic', '*'],
  '%': ['arithmetic', '*'],
  '+=': ['arithmetic', '-='],
  '-=': ['arithmetic', '+='],
  '&&': ['logic', '||'],
  '||': ['logic', '&&'],
};

/** Calls of functions that only state what is always true: no test can notice that one is missing. */
const statedTruths = new Set(['assert', 'defined', 'unreachable']);

/** Lists the mutants of a file in the order of their places. */
export function listMutants(file: string, source: string): Mutant[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0]?.message}`);
  const found = new MutantFinder(file, source, listUsers(program as unknown as Node));
  found.visit(program as unknown as Node);
  return found.mutants.toSorted((one, other) => one.start - other.start || one.end - other.end);
}

export function applyMutant(source: string, { start, end, replacement }: Mutant): string {
  return source.slice(0, start) + replacement + source.slice(end);
}

/** The change as it is printed: the line before and after. */
export function describeMutant(source: string, mutant: Mutant): { before: string; after: string } {
  const first = source.lastIndexOf('\n', mutant.start - 1) + 1;
  const next = source.indexOf('\n', mutant.end);
  const end = next === -1 ? source.length : next;
  const tail = source.slice(mutant.end, end);
  const before = source.slice(first, end);
  const after = source.slice(first, mutant.start) + mutant.replacement + tail;
  const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
  return { before: oneLine(before), after: oneLine(after) };
}

class MutantFinder {
  readonly #file: string;
  readonly #source: string;
  readonly #users: ReadonlyMap<string, readonly string[]>;
  readonly #functions: string[] = [];
  /** The constants around a place that is in no function, the innermost first. */
  readonly #constants: string[] = [];
  /** Numbers of which only the sign counts. */
  readonly #signs = new Set<Node>();
  /** Comparisons that come to the same for two equal values. */
  readonly #choices = new Set<Node>();
  readonly mutants: Mutant[] = [];

  constructor(file: string, source: string, users: ReadonlyMap<string, readonly string[]>) {
    this.#file = file;
    this.#source = source;
    this.#users = users;
  }

  visit(node: Node, parent?: Node): void {
    if (isTypeOnly(node) || isStatedTruth(node)) return;
    const name = functionName(node, parent);
    if (name !== undefined) this.#functions.unshift(name);
    if (node.type === 'VariableDeclarator') this.#constants.unshift(node['id'].name);
    this.#mutate(node, parent);
    for (const child of childrenOf(node)) this.visit(child, node);
    if (node.type === 'VariableDeclarator') this.#constants.shift();
    if (name !== undefined) this.#functions.shift();
  }

  #mutate(node: Node, parent: Node | undefined): void {
    switch (node.type) {
      case 'ConditionalExpression':
        if (isOrder(node)) for (const sign of signsOf(node)) this.#signs.add(sign);
        if (this.#isChoice(node['test'], [node['consequent'], node['alternate']]) || isOrderOfDifferent(node))
          this.#choices.add(node['test']);
        return this.#mutateCondition(node['test']);
      case 'IfStatement':
        if (this.#isChoice(node['test'], assignedSides(node))) this.#choices.add(node['test']);
        return this.#mutateCondition(node['test']);
      case 'BinaryExpression':
      case 'LogicalExpression':
      case 'AssignmentExpression':
        return this.#mutateOperator(node);
      case 'ExpressionStatement':
        return this.#mutateStatement(node);
      case 'ReturnStatement':
        return hasResult(node) ? this.#add(node['argument'], 'result', 'undefined') : undefined;
      case 'Literal':
        return this.#mutateLiteral(node, parent);
      case 'TemplateLiteral':
        for (const part of node['quasis'] as Node[]) this.#mutateSql(part.start + 1, part['value'].raw.length);
    }
  }

  /** A condition that is one comparison is mutated as that. */
  #mutateCondition(test: Node): void {
    if (!(test.type === 'BinaryExpression' && swappedOperators[test['operator']]?.[0] === 'equality'))
      this.#add(test, 'condition', `!(${this.#text(test)})`);
  }

  #mutateOperator(node: Node): void {
    const { left, right, operator } = node as Node & { left: Node; right: Node; operator: string };
    if (operator === '??') return this.#add(node, 'fallback', this.#text(left));
    const swapped = swappedOperators[operator];
    if (swapped === undefined || this.#choices.has(node) || (operator.startsWith('+') && [left, right].some(isText)))
      return;
    const between = this.#source.slice(left.end, right.start);
    const at = left.end + between.indexOf(operator);
    this.#add({ start: at, end: at + operator.length, reachedAt: left.start }, swapped[0], swapped[1]);
  }

  #mutateStatement({ expression, start, end }: Node): void {
    const called = expression.type === 'AwaitExpression' ? expression.argument : expression;
    const isRemovable = ['CallExpression', 'AssignmentExpression', 'UpdateExpression'].includes(called.type);
    // Without its fields an object does not work at all: such mutants would only flatter the rate.
    const isTrivial =
      called.callee?.type === 'Super' || isStatedTruth(called) || isFieldAssignment(called) || isErrorName(called);
    if (isRemovable && !isTrivial) this.#add({ start, end }, 'removed', ';');
  }

  /** `one < other ? one : other` and `if (day > last) last = day`: which of two equal values is taken makes no difference. */
  #isChoice(test: Node, taken: readonly Node[]): boolean {
    if (test.type !== 'BinaryExpression' || !/^[<>]=?$/.test(test['operator']) || taken.length === 0) return false;
    const sides = [test['left'], test['right']].map((side: Node) => this.#text(side));
    return taken.every((one) => sides.includes(this.#text(one)));
  }

  #mutateLiteral(node: Node, parent: Node | undefined): void {
    const text = this.#text(node);
    if (typeof node['value'] === 'string') return this.#mutateSql(node.start + 1, text.length - 2);
    const isPlace = parent?.type === 'MemberExpression' && parent['computed'] === true;
    if (isPlace || this.#signs.has(node) || !/^[\d_]+n?$/.test(text)) return;
    const digits = BigInt(text.replaceAll(/[_n]/g, '')) + 1n;
    this.#add(node, 'constant', `${digits}${text.endsWith('n') ? 'n' : ''}`);
  }

  #mutateSql(start: number, length: number): void {
    for (const change of sqlChanges(this.#source.slice(start, start + length))) {
      this.#add({ start: start + change.start, end: start + change.end }, 'sql', change.replacement);
    }
  }

  #text({ start, end }: Pick<Node, 'start' | 'end'>): string {
    return this.#source.slice(start, end);
  }

  #add(
    { start, end, reachedAt = start }: Pick<Node, 'start' | 'end'> & { readonly reachedAt?: number },
    kind: MutantKind,
    replacement: string,
  ): void {
    if (replacement === this.#text({ start, end })) return;
    const line = this.#source.slice(0, start).split('\n').length;
    const functions = [...this.#functions];
    const users = functions.length > 0 ? [] : (this.#users.get(this.#constants.at(-1) ?? '') ?? []);
    this.mutants.push({ file: this.#file, line, start, end, reachedAt, replacement, kind, functions, users });
  }
}

/** The functions of a file that use each of its constants, by name. */
function listUsers(program: Node): Map<string, readonly string[]> {
  const uses = new Map<string, { readonly functions: Set<string>; readonly constants: Set<string> }>();
  const visit = (node: Node, parent: Node | undefined, functions: readonly string[], constant?: string): void => {
    if (isTypeOnly(node)) return;
    if (node.type === 'Identifier') {
      const own = uses.getOrInsertComputed(node['name'], () => ({ functions: new Set(), constants: new Set() }));
      for (const name of functions.slice(0, 1)) own.functions.add(name);
      if (functions.length === 0 && constant !== undefined && constant !== node['name']) own.constants.add(constant);
    }
    const name = functionName(node, parent);
    const inner = name === undefined ? functions : [name, ...functions];
    const declared = node.type === 'VariableDeclarator' ? node['id'].name : undefined;
    for (const child of childrenOf(node)) visit(child, node, inner, constant ?? declared);
  };
  visit(program, undefined, []);
  const usersOf = (name: string, seen: Set<string>): string[] => {
    const own = uses.get(name);
    if (own === undefined || seen.has(name)) return [];
    seen.add(name);
    return [...own.functions, ...[...own.constants].flatMap((constant) => usersOf(constant, seen))];
  };
  return new Map([...uses.keys()].map((name) => [name, [...new Set(usersOf(name, new Set()))]]));
}

/** Types are erased before anything runs. An expression with a type is still an expression. */
function isTypeOnly({ type }: Node): boolean {
  return type.startsWith('TS') && !['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression'].includes(type);
}

function isStatedTruth(node: Node): boolean {
  return node.type === 'CallExpression' && statedTruths.has(node['callee'].name);
}

/** The end of a switch over a closed set has none. */
function hasResult({ argument }: Node): boolean {
  return argument !== null && argument.callee?.name !== 'unreachable';
}

/** `this.#scope = scope` */
function isFieldAssignment({ type, left, right }: Node): boolean {
  return type === 'AssignmentExpression' && left.object?.type === 'ThisExpression' && right.type === 'Identifier';
}

/** `this.name = 'Fault'`: for people who read a stack; the service tells faults apart by their class. */
function isErrorName({ type, left, right }: Node): boolean {
  return (
    type === 'AssignmentExpression' &&
    left.object?.type === 'ThisExpression' &&
    left.property.name === 'name' &&
    isText(right)
  );
}

/** Both sides of the assignment that is all that depends on a condition. */
function assignedSides({ consequent: branch, alternate }: Node): Node[] {
  if (alternate !== null) return [];
  const statements: readonly Node[] = branch.type === 'BlockStatement' ? branch['body'] : [branch];
  const assignment = statements.length === 1 ? statements[0]!['expression'] : undefined;
  const isPlain = assignment?.type === 'AssignmentExpression' && assignment.operator === '=';
  return isPlain ? [assignment.left, assignment.right] : [];
}

function isText(node: Node): boolean {
  return node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node['value'] === 'string');
}

/** `one < other ? -1 : 1`, the order of two values: how far the result is from 0 makes no difference. */
function isOrder({ test, consequent, alternate }: Node): boolean {
  const isComparison =
    test.type === 'BinaryExpression' && /^[<>]$/.test(test.operator) && test.right.type !== 'Literal';
  return isComparison && [consequent, alternate].some(({ type }) => type === 'UnaryExpression');
}

/** `one.id < other.id ? -1 : 1`: says nothing of equal values, so that none are compared. */
function isOrderOfDifferent(node: Node): boolean {
  return (
    isOrder(node) && [node['consequent'], node['alternate']].every((branch: Node) => /^-?1$/.test(signText(branch)))
  );
}

function signText(branch: Node): string {
  return branch.type === 'UnaryExpression' ? `-${branch['argument'].raw}` : String(branch['raw']);
}

function signsOf({ consequent, alternate }: Node): Node[] {
  return [consequent, alternate].flatMap((branch: Node) => {
    if (branch.type === 'ConditionalExpression') return signsOf(branch);
    const literal = branch.type === 'UnaryExpression' ? branch['argument'] : branch;
    return literal.raw === '1' ? [literal] : [];
  });
}

/** The name under which the engine knows a function: its own, or that of the constant, method or member it is the value of. */
function functionName(node: Node, parent: Node | undefined): string | undefined {
  if (!['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'].includes(node.type)) return undefined;
  if (node['id']) return node['id'].name;
  if (parent?.type === 'VariableDeclarator') return parent['id'].name;
  if (parent?.type.startsWith('Assignment')) return parent['left'].name;
  const isMember = ['MethodDefinition', 'Property', 'PropertyDefinition'].includes(parent?.type ?? '');
  if (!isMember || parent?.['computed'] || parent?.['kind'] === 'constructor') return undefined;
  const name = memberName(parent!['key']);
  return ['get', 'set'].includes(parent!['kind']) ? `${parent!['kind']} ${name}` : name;
}

function memberName({ type, name, value }: Node): string {
  return type === 'PrivateIdentifier' ? `#${name}` : String(name ?? value);
}

function childrenOf(node: Node): Node[] {
  const isNode = (value: unknown): value is Node =>
    typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
  return Object.values(node).flatMap((value: unknown) => (Array.isArray(value) ? value : [value]).filter(isNode));
}
