// A part of the workspaces on the server that holds it. There each table is a table of its own, with the policies and grants of the whole; a
// statement that names these runs as on a server that holds everything. Citus has no say in it then, so what keeps a part from being changed
// while it moves is done here: who writes takes the lock that a move waits for, and everybody looks whether the part is still there.

import { sql, type Call, type Statement } from '../statement.ts';
import { renameTables } from './renamed-tables.ts';

/** The name of a setting that does not exist: reading it fails, so that nothing after it is done. */
const movedPart = 'holdfast.moved_part';
/** PostgreSQL's undefined_table: a part that was moved away is dropped a while later. */
const undefinedTable = '42P01';

/** As those that write through Citus hold it until they commit. Only the owner of the tables may: it is sent before the role is entered. */
const lockPart = sql('distribution/lock-part', 'SELECT lock_shard_metadata(5, ARRAY[$1::bigint])');
/** In a statement of its own, since it must see what was committed before the lock was there. */
const requireHere = sql(
  'distribution/part-is-here',
  `SELECT CASE WHEN EXISTS (SELECT FROM pg_dist_placement p JOIN pg_dist_local_group l ON l.groupid = p.groupid
     WHERE p.shardid = $1::bigint AND p.shardstate = 1) THEN true ELSE current_setting('${movedPart}') = '' END AS here`,
);

/** PostgreSQL cuts longer names off. */
const nameLengthMax = 63;
const writing = /\b(insert|update|delete)\b/i;

export class WorkspacePart {
  /** Sent first in a transaction. */
  readonly guards: { readonly read: readonly Call[]; readonly write: readonly Call[] };
  readonly #shard: string;
  readonly #names: ReadonlyMap<string, string>;
  readonly #renamed = new WeakMap<Statement<unknown>, Statement<unknown>>();

  /** `shard`: that of the table of workspaces; `names`: what each table is called here. */
  constructor(shard: string, names: ReadonlyMap<string, string>) {
    this.#shard = shard;
    this.#names = names;
    const here = { statement: requireHere, values: [shard] };
    this.guards = { read: [here], write: [{ statement: lockPart, values: [shard] }, here] };
  }

  guardsOf(calls: readonly Call[]): readonly Call[] {
    return this.guards[calls.some(({ statement }) => writing.test(statement.text)) ? 'write' : 'read'];
  }

  rename(call: Call): Call {
    const known = this.#renamed.get(call.statement) ?? this.#renameIn(call.statement);
    return known === call.statement ? call : { ...call, statement: known };
  }

  #renameIn(statement: Statement<unknown>): Statement<unknown> {
    const text = renameTables(statement.text, this.#names);
    const renamed = text === undefined ? statement : { ...statement, text, name: this.#nameOf(statement) };
    this.#renamed.set(statement, renamed);
    return renamed;
  }

  /** A connection may be used for several parts. */
  #nameOf({ name }: Statement<unknown>): string {
    if (name === '') return '';
    const digestAt = name.lastIndexOf('#');
    const end = `${name.slice(digestAt)}@${this.#shard}`;
    return `${name.slice(0, Math.min(digestAt, nameLengthMax - end.length))}${end}`;
  }
}

/** Whether a part is no longer where it was asked for. */
export function isMovedAway(error: unknown): boolean {
  return (
    error instanceof Error &&
    (error.message.includes(movedPart) || ('code' in error && String(error.code) === undefinedTable))
  );
}
