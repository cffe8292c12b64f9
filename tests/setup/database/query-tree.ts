// Reads the trees in which PostgreSQL describes the statements that it has parsed: what they refer to is resolved in them, whatever way it was
// written.

import type pg from 'pg';

/** A part of a tree: its kind, such as QUERY or OPEXPR, and its fields. */
export interface TreeNode {
  readonly kind: string;
  readonly fields: Readonly<Record<string, Tree>>;
}

export type Tree = TreeNode | readonly Tree[] | string | null;

export function isNode(tree: Tree | undefined): tree is TreeNode {
  return typeof tree === 'object' && tree !== null && 'kind' in tree;
}

/** The parts of a list; none of what is no list. */
export function listOf(tree: Tree | undefined): readonly Tree[] {
  return Array.isArray(tree) ? tree : [];
}

const token = /\{|\}|\(|\)|<>|\[[^\]]*\]|"(?:\\.|[^"\\])*"|(?:\\[\s\S]|[^\s{}()\\])+/g;

class TreeReader {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = text.match(token) ?? [];
  }

  read(): Tree {
    const word = this.#tokens[this.#at++];
    if (word === '{') return this.#readNode();
    if (word === '(') return this.#readList();
    return word === undefined || word === '<>' ? null : word;
  }

  #readNode(): TreeNode {
    const kind = this.#tokens[this.#at++] ?? '';
    const fields: Record<string, Tree> = {};
    while (this.#at < this.#tokens.length && this.#tokens[this.#at] !== '}') {
      const name = this.#tokens[this.#at++] ?? '';
      fields[name.slice(1)] = this.read();
      // Bytes follow their length, and some fields have several words.
      while (this.#at < this.#tokens.length && !/^(\}|:[a-zA-Z])/.test(this.#tokens[this.#at] ?? '')) this.read();
    }
    this.#at++;
    return { kind, fields };
  }

  #readList(): readonly Tree[] {
    const list: Tree[] = [];
    while (this.#at < this.#tokens.length && this.#tokens[this.#at] !== ')') list.push(this.read());
    this.#at++;
    return list;
  }
}

/** Parses statements as the server does, and returns the tree of each. */
export class QueryTrees {
  readonly #client: pg.Client;
  #notice: string | undefined;
  readonly #keep = ({
    message = '',
    detail = '',
  }: {
    message?: string | undefined;
    detail?: string | undefined;
  }): void => {
    if (message.startsWith('parse tree') && !detail.includes(':commandType 6')) this.#notice = detail;
  };

  private constructor(client: pg.Client) {
    this.#client = client;
    client.on('notice', this.#keep);
  }

  static async open(client: pg.Client): Promise<QueryTrees> {
    await client.query('SET debug_print_parse = on; SET debug_pretty_print = off; SET client_min_messages = log');
    return new QueryTrees(client);
  }

  /** Undefined for a command that is no query. */
  async read(text: string): Promise<TreeNode | undefined> {
    if (!/^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i.test(text)) return undefined;
    this.#notice = undefined;
    await this.#client.query(`PREPARE looked_at AS ${text}`);
    await this.#client.query('DEALLOCATE looked_at');
    const tree = new TreeReader(this.#notice ?? '').read();
    return isNode(tree) ? tree : undefined;
  }
}

/** All nodes of one kind below a tree, itself included. */
export function nodesOf(tree: Tree | undefined, kind: string): readonly TreeNode[] {
  const found: TreeNode[] = [];
  visit(tree ?? null, (node) => void (node.kind === kind && found.push(node)));
  return found;
}

/** Visits a tree from the top; where `look` returns `stop`, what is below is left out. */
export function visit(tree: Tree, look: (node: TreeNode) => unknown): void {
  if (Array.isArray(tree)) for (const one of tree) visit(one, look);
  else if (isNode(tree) && look(tree) !== 'stop') for (const one of Object.values(tree.fields)) visit(one, look);
}
