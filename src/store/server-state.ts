// What is known of a database server: whether it answers, and whether it accepts changes.

/** Why a database that answers accepts no changes. */
export const unwritableStates = ['database-read-only', 'database-full'] as const;
export type UnwritableState = (typeof unwritableStates)[number];

/** A server that workspaces are spread over. */
export interface ServerState {
  readonly name: string;
  readonly isAway: boolean;
  /** Why it accepts no changes, as far as it or a change that it has refused said so. */
  readonly unwritable: UnwritableState | undefined;
}

/** The changes that were refused because the database accepts none. */
export interface RefusedChanges {
  readonly count: number;
  /** Why the last one was. */
  readonly state: UnwritableState | undefined;
}
