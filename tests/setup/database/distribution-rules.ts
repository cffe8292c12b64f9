// Rules over every statement of the store, on the trees in which PostgreSQL describes them: that each stays within a workspace and an environment,
// and what a server that spreads workspaces over others (Citus) cannot carry. Citus is in no registry that tests could install it from, so these keep what was found out on one.

import { globSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { resources } from '../../../src/model/resources.ts';
import { renameTables } from '../../../src/store/postgres/distribution/renamed-tables.ts';
import { registeredStatements } from '../../../src/store/postgres/statement.ts';
import { isNode, listOf, nodesOf, QueryTrees, visit, type Tree, type TreeNode } from './query-tree.ts';

/** What the rules know of the database. */
export interface StatementCatalog {
  /** The tables that are spread by workspace, with the number of the column. */
  readonly tables: ReadonlyMap<string, StatementTable>;
  /** By the function's id: immutable, stable or volatile. */
  readonly volatility: ReadonlyMap<string, 'i' | 's' | 'v'>;
  readonly functionNames: ReadonlyMap<string, string>;
}

interface StatementTable {
  readonly name: string;
  readonly workspaceColumn: string;
  /** The columns that say of which environment a row is: none in tables of whole workspaces. */
  readonly environmentColumns: readonly string[];
}

export async function readStatementCatalog(client: pg.ClientBase): Promise<StatementCatalog> {
  const tables = await client.query<{ id: string; name: string; column: string; environments: string[] }>(
    `SELECT c.oid::text AS id, c.relname AS name, a.attnum::text AS column, ARRAY(SELECT e.attnum::text FROM pg_attribute e
       WHERE e.attrelid = c.oid AND e.attname IN ('environment', 'current_environment')) AS environments FROM pg_class c
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id' WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'`,
  );
  const functions = await client.query<{ id: string; name: string; volatility: 'i' | 's' | 'v' }>(
    'SELECT oid::text AS id, proname AS name, provolatile AS volatility FROM pg_proc',
  );
  return {
    tables: new Map(
      tables.rows.map(({ id, name, column, environments }) => [
        id,
        { name, workspaceColumn: column, environmentColumns: environments },
      ]),
    ),
    volatility: new Map(functions.rows.map(({ id, volatility }) => [id, volatility])),
    functionNames: new Map(functions.rows.map(({ id, name }) => [id, name])),
  };
}

const command = { select: '1', update: '2', insert: '3', delete: '4' } as const;

const commandOf = ({ fields }: TreeNode): string => String(fields['commandType']);
const isWrite = (query: TreeNode): boolean => commandOf(query) !== command.select;

/** What a query consists of, without the queries within it. */
function ownNodes(tree: Tree | undefined, kind: string): readonly TreeNode[] {
  const found: TreeNode[] = [];
  visit(tree ?? null, (node) => {
    if (node.kind === 'QUERY') return 'stop';
    if (node.kind === kind) found.push(node);
    return undefined;
  });
  return found;
}

/** The conditions that all hold: of the query, and of its joins. */
function conditionsOf({ fields }: TreeNode): readonly TreeNode[] {
  const joined = ownNodes(fields['jointree'], 'JOINEXPR').map((join) => join.fields['quals']);
  const where = isNode(fields['jointree']) ? fields['jointree'].fields['quals'] : null;
  return [where, ...joined].flatMap(splitAnd);
}

function splitAnd(tree: Tree | undefined): readonly TreeNode[] {
  if (!isNode(tree)) return [];
  const isAnd = tree.kind === 'BOOLEXPR' && tree.fields['boolop'] === 'and';
  return isAnd ? listOf(tree.fields['args']).flatMap(splitAnd) : [tree];
}

/** An expression without the casts around it that change no value. */
function bare(tree: Tree | undefined): TreeNode | undefined {
  if (!isNode(tree)) return undefined;
  return tree.kind === 'RELABELTYPE' || tree.kind === 'COLLATEEXPR' ? bare(tree.fields['arg']) : tree;
}

interface Reference {
  /** Its number among those of the query. */
  readonly number: string;
  readonly table: StatementTable;
}

function referencesOf(query: TreeNode, { tables }: StatementCatalog): readonly Reference[] {
  return listOf(query.fields['rtable']).flatMap((entry, index) => {
    const table =
      isNode(entry) && entry.fields['rtekind'] === '0' ? tables.get(String(entry.fields['relid'])) : undefined;
    if (table === undefined) return [];
    return [{ table, number: String(index + 1) }];
  });
}

/** Whether one of the columns of a table is compared with something else, such as a parameter. */
function isBound(
  { number }: Reference,
  columns: readonly string[],
  conditions: readonly TreeNode[],
  isOther: (side: TreeNode) => boolean,
): boolean {
  const isColumn = ({ kind, fields }: TreeNode): boolean =>
    kind === 'VAR' &&
    fields['varno'] === number &&
    columns.includes(String(fields['varattno'])) &&
    fields['varlevelsup'] === '0';
  return conditions.some(({ kind, fields }) => {
    if (kind !== 'OPEXPR' && kind !== 'SCALARARRAYOPEXPR') return false;
    const sides = listOf(fields['args']).flatMap((side) => bare(side) ?? []);
    return sides.some(isColumn) && sides.some((side) => !isColumn(side) && isOther(side));
  });
}

/** Calls of functions and operators, with the id of the function. */
function callsOf(tree: Tree | undefined): readonly { readonly id: string; readonly node: TreeNode }[] {
  const calls: { id: string; node: TreeNode }[] = [];
  visit(tree ?? null, (node) => {
    if (node.kind === 'QUERY') return 'stop';
    const id = node.fields['funcid'] ?? node.fields['opfuncid'];
    if (typeof id === 'string') calls.push({ id, node });
    return undefined;
  });
  return calls;
}

const hasColumn = (node: TreeNode): boolean => ownNodes(node.fields['args'], 'VAR').length > 0;

/** Where an insert takes its rows from: a query, or the values of its text. */
const selectsRows = (query: TreeNode): boolean =>
  commandOf(query) === command.insert &&
  listOf(query.fields['rtable']).some((entry) => isNode(entry) && entry.fields['rtekind'] === '1');

/** The tables that a query reads or changes, without the one that it only adds rows to. */
function readReferences(query: TreeNode, catalog: StatementCatalog): readonly Reference[] {
  const target = commandOf(query) === command.insert ? String(query.fields['resultRelation']) : '';
  const conflict = query.fields['onConflict'];
  const excluded = isNode(conflict) ? String(conflict.fields['exclRelIndex']) : '';
  return referencesOf(query, catalog).filter(({ number }) => number !== target && number !== excluded);
}

/** The tables with environments that are read in any of them. One that is compared with a table that is read in one is so, too. */
function unboundEnvironments(query: TreeNode, catalog: StatementCatalog): readonly Reference[] {
  const conditions = conditionsOf(query);
  const unbound = new Set(readReferences(query, catalog).filter(({ table }) => table.environmentColumns.length > 0));
  const isGiven = ({ kind, fields }: TreeNode): boolean =>
    kind === 'PARAM' ||
    (kind === 'VAR' &&
      (fields['varlevelsup'] !== '0' || ![...unbound].some(({ number }) => number === fields['varno'])));
  // Each that is found may bind another.
  for (let before = -1; before !== unbound.size;) {
    before = unbound.size;
    for (const one of unbound) if (isBound(one, one.table.environmentColumns, conditions, isGiven)) unbound.delete(one);
  }
  return [...unbound];
}

/** How a tree calls what a query reads. */
const entryKind = 'RANGETBLENTRY';

type StatementRule = (query: TreeNode, catalog: StatementCatalog) => readonly string[];

/** Each returns what violates it in one query: a whole statement, or a part of one. */
export const statementRules = {
  'every table is read and changed with `workspace_id = ` a parameter, in subqueries too': (query, catalog) => {
    const conditions = conditionsOf(query);
    return readReferences(query, catalog)
      .filter((one) => !isBound(one, [one.table.workspaceColumn], conditions, ({ kind }) => kind === 'PARAM'))
      .map(({ table }) => table.name);
  },
  'a table with environments is read and changed with `environment = ` a parameter, or that of what has it': (
    query,
    catalog,
  ) => unboundEnvironments(query, catalog).map(({ table }) => table.name),
  'no stable function is called with a column in a write, such as `timestamptz + interval`': (query, catalog) =>
    commandOf(query) !== command.update && commandOf(query) !== command.delete
      ? []
      : callsOf([query.fields['targetList'] ?? null, query.fields['jointree'] ?? null])
          .filter(({ id, node }) => catalog.volatility.get(id) === 's' && hasColumn(node))
          .map(({ id }) => catalog.functionNames.get(id) ?? id),
  'no volatile function is called in a write': (query, catalog) =>
    isWrite(query)
      ? callsOf(Object.values(query.fields))
          .filter(({ id }) => catalog.volatility.get(id) === 'v')
          .map(({ id }) => catalog.functionNames.get(id) ?? id)
      : [],
  'what a conflict sets and what is returned call immutable functions only': (query, catalog) =>
    callsOf([query.fields['onConflict'] ?? null, query.fields['returningList'] ?? null])
      .filter(({ id }) => catalog.volatility.get(id) !== 'i')
      .map(({ id }) => catalog.functionNames.get(id) ?? id),
  'an INSERT of selected rows has RETURNING or ON CONFLICT': (query) =>
    selectsRows(query) && listOf(query.fields['returningList']).length === 0 && !isNode(query.fields['onConflict'])
      ? ['INSERT … SELECT']
      : [],
  'what a conflict of selected rows sets has no parameter': (query) =>
    selectsRows(query) && nodesOf(query.fields['onConflict'], 'PARAM').length > 0 ? ['ON CONFLICT … $n'] : [],
  'an INSERT of values has no subquery': (query) =>
    commandOf(query) === command.insert &&
    !selectsRows(query) &&
    ownNodes(Object.values(query.fields), 'SUBLINK').length > 0
      ? ['INSERT … VALUES (SELECT)']
      : [],
  'nothing is selected in RETURNING': (query) =>
    nodesOf(query.fields['returningList'], 'SUBLINK').map(() => 'RETURNING (SELECT)'),
  'what is found recursively is not written in the same statement': (query) =>
    query.fields['hasRecursive'] === 'true' && nodesOf(query, 'QUERY').some(isWrite) ? ['WITH RECURSIVE'] : [],
  'an INSERT of selected rows takes none from another within it, which servers would send to all others': (query) => {
    if (!selectsRows(query)) return [];
    const writes = listOf(query.fields['cteList']).flatMap((cte) => {
      if (!isNode(cte)) return [];
      const inner = cte.fields['ctequery'];
      return isNode(inner) && selectsRows(inner) ? [String(cte.fields['ctename'])] : [];
    });
    const read = nodesOf(query, entryKind).filter(({ fields }) => fields['rtekind'] === '6');
    return writes.filter((name) => read.some(({ fields }) => String(fields['ctename']) === name));
  },
} as const satisfies Record<string, StatementRule>;

export type StatementRuleName = keyof typeof statementRules;

/** Statements that ask all workspaces: which of them have something due, and where a caller belongs who does not say it. */
const acrossWorkspaces = [
  /^due-tenants\//,
  /^places\//,
  /^credential\/(by-client-id|first-admin)#/,
  /^(queue-levels|shipping-lag|workspace-levels\/(largest|nearest)|expiry\/(tenants|other-tenant)|signing-key\/one-of-each|replaced-key\/one-of-each|workspace\/without-classes|mail-queue\/full-from-all)#/,
];

/** The same of some workspaces: each of their tables is limited to these, so that the servers of others are not asked. */
const ofSomePrefix = 'of-some/';

/** Those that learn the environment from what they find by a secret or by an id. */
const beforeEnvironment = /^(administrators\/link-by-secret|credential\/by-key-id|invites\/by-secret)#/;

/** The rules that a statement follows, by its name. */
function rulesFor(name: string): readonly StatementRuleName[] {
  const ofSome = name.startsWith(ofSomePrefix);
  const isAcross = acrossWorkspaces.some((pattern) => pattern.test(ofSome ? name.slice(ofSomePrefix.length) : name));
  const excepted = new Set([
    ...(isAcross && !ofSome ? [workspaceRule] : []),
    ...(isAcross || beforeEnvironment.test(name) ? [environmentRule] : []),
  ]);
  return (Object.keys(statementRules) as StatementRuleName[]).filter((rule) => !excepted.has(rule));
}

const partsRule = 'every table of a statement can be called as its part is on the server that holds it';

export interface Violation {
  readonly rule: StatementRuleName | typeof partsRule;
  readonly statement: string;
  readonly what: string;
}

/** What violates a rule in any part of a statement. */
export function violationsOf(name: string, tree: TreeNode, catalog: StatementCatalog): Violation[] {
  const queries = nodesOf(tree, 'QUERY');
  return rulesFor(name).flatMap((rule) =>
    queries.flatMap((query) => statementRules[rule](query, catalog).map((what) => ({ rule, statement: name, what }))),
  );
}

const workspaceRule: StatementRuleName =
  'every table is read and changed with `workspace_id = ` a parameter, in subqueries too';
const environmentRule: StatementRuleName =
  'a table with environments is read and changed with `environment = ` a parameter, or that of what has it';

/** Looks at every statement that the store has made in this process; tests that make their own give them other names. */
export async function lintStatements(connectionString: string): Promise<{ count: number; violations: Violation[] }> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const catalog = await readStatementCatalog(client);
    const trees = await QueryTrees.open(client);
    const parts = await makeParts(client, catalog);
    const names = storeStatementNames();
    const violations: Violation[] = [];
    let count = 0;
    // Those that ask a server whether it spreads tables read what no other has.
    const statements = registeredStatements().filter(
      ({ name }) => !name.startsWith('distribution/') && names.some((start) => name.startsWith(start)),
    );
    for (const { name, text } of statements) {
      const tree = await trees.read(text);
      if (tree === undefined) continue;
      count++;
      violations.push(...violationsOf(name, tree, catalog));
      const renamed = await trees.read(renameTables(text, parts) ?? text);
      const left =
        renamed === undefined ? [] : nodesOf(renamed, 'QUERY').flatMap((query) => referencesOf(query, catalog));
      violations.push(...left.map(({ table }): Violation => ({ rule: partsRule, statement: name, what: table.name })));
    }
    return { count, violations };
  } finally {
    await client.end();
  }
}

/** Tables as a server has them that holds a part of each; by the name of the whole. */
async function makeParts(client: pg.Client, { tables }: StatementCatalog): Promise<ReadonlyMap<string, string>> {
  const parts = new Map([...tables.values()].map(({ name }) => [name, `${name}_102008`]));
  for (const [name, part] of parts) await client.query(`CREATE TEMPORARY TABLE ${part} (LIKE ${name} INCLUDING ALL)`);
  return parts;
}

/** How the names of the store's statements begin, as written in its files. */
function storeStatementNames(): readonly string[] {
  const root = new URL('../../../', import.meta.url);
  const files = globSync('src/store/**/*.ts', { cwd: root }).filter((path) => !path.endsWith('.test.ts'));
  const names = files.flatMap((path) =>
    [
      ...readFileSync(new URL(path, root), 'utf8').matchAll(
        /\b(?:sql|askingAll|memoized|memoizedText)(?:<[^;(]*>)?\(\s*['`]([^'`$]+)/g,
      ),
    ].map(([, name = '']) => name),
  );
  const types = resources.flatMap(({ type }) => [`${type}/`, `due-tenants/`, ofSomePrefix]);
  return [...new Set([...names, ...types])].filter(
    (name) => name.includes('/') || ['ledger', 'activity'].includes(name),
  );
}
