// How transactions are sent to a server: between BEGIN and COMMIT or as the messages of one round trip, and how they enter their scope. It
// depends on whether the server spreads tables over others.

import { ScopeEntry, type EnterOptions } from './enter-scope.ts';
import { fixedSettingCall, type SettingForm } from './local-settings.ts';
import { sql, type Call, type Outcome } from './statement.ts';

export const begin = sql('begin', 'BEGIN');
const beginSnapshot = sql('begin-snapshot', 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
export const commit = sql('commit', 'COMMIT');
export const rollback = sql('rollback', 'ROLLBACK');

export interface TransactionOptions extends EnterOptions {
  /** How long a transaction may stay open between two statements before the server rolls it back and releases its locks. */
  readonly gapsMs?: { readonly write: number; readonly snapshot: number };
}

/** How a transaction of several round trips begins. */
export interface Beginning {
  readonly kind: 'write' | 'snapshot';
  readonly begin: Call;
  readonly entry: ScopeEntry;
}

export class TransactionForm {
  readonly settings: SettingForm;
  /** For transactions of one round trip. */
  readonly entry: ScopeEntry;
  /** For one question to many tenants: one that is suspended fails no other. */
  readonly anyEntry: ScopeEntry;
  readonly writing: Beginning;
  readonly snapshot: Beginning;
  /** For another scope within a transaction: sets no timeouts, so that those of the transaction stay. */
  readonly switching: ScopeEntry;
  /**
   * Before statements that select by whole keys: planning them for their values takes longer than running them. A server that spreads
   * tables needs the values to know where a statement belongs.
   */
  readonly planning: readonly Call[];

  constructor(settings: SettingForm, options: TransactionOptions) {
    const { timeoutsMs: _timeouts, ...withoutTimeouts } = options;
    this.settings = settings;
    this.entry = new ScopeEntry(settings, options);
    this.anyEntry = new ScopeEntry(settings, { ...options, workspaces: 'any' });
    this.writing = {
      kind: 'write',
      begin: { statement: begin, values: [] },
      entry: new ScopeEntry(settings, options, options.gapsMs?.write),
    };
    const snapshotEntry = new ScopeEntry(settings, options, options.gapsMs?.snapshot);
    this.snapshot = { kind: 'snapshot', begin: { statement: beginSnapshot, values: [] }, entry: snapshotEntry };
    this.switching = new ScopeEntry(settings, withoutTimeouts);
    this.planning =
      settings === 'function' ? [fixedSettingCall(settings, 'plan_cache_mode', 'force_generic_plan')] : [];
  }

  /** The messages of one round trip are a transaction by themselves, which ends with an error in it. */
  get needsCommit(): boolean {
    return this.settings === 'command';
  }

  /** The calls of each group as a transaction of its own; all groups are one where none needs a commit. */
  bracket(groups: readonly (readonly Call[])[]): readonly Call[] {
    const [first = []] = groups;
    if (!this.needsCommit) return groups.length === 1 ? first : groups.flat();
    return groups.flatMap((calls) => [{ statement: begin, values: [] }, ...calls, { statement: commit, values: [] }]);
  }

  /** The outcomes of the calls of each group. */
  unbracket(groups: readonly (readonly Call[])[], outcomes: readonly Outcome[]): Outcome[][] {
    const around = this.needsCommit ? 1 : 0;
    let at = 0;
    return groups.map(({ length }) => {
      const first = at + around;
      at = first + length + around;
      return outcomes.slice(first, first + length);
    });
  }
}
