// Which workspaces use a node the most, in a bounded number of series. A workspace counts by itself from when it is among the noisiest, and with
// all others before and after: so no counter ever goes back while it has the same name.

import { minuteMs, type Clock } from '../../kit/clock.ts';

export interface WorkspaceUse {
  requests: number;
  rejected: number;
  databaseSeconds: number;
}

export type UseName = keyof WorkspaceUse;
const useNames: readonly UseName[] = ['requests', 'rejected', 'databaseSeconds'];

/** The name of all workspaces that do not count by themselves. */
export const otherWorkspaces = 'other';
/** How often the noisiest are chosen anew. What was used before counts half each time. */
const intervalMs = minuteMs;
/** How many workspaces are compared. */
const comparedMax = 1_000;

const noUse = (): WorkspaceUse => ({ requests: 0, rejected: 0, databaseSeconds: 0 });

export class NoisyWorkspaces {
  readonly #clock: Clock;
  readonly #max: number;
  /** What is counted of each that counts by itself. */
  readonly #counted = new Map<string, WorkspaceUse>();
  readonly #others = noUse();
  /** What each has used lately. */
  readonly #recent = new Map<string, WorkspaceUse>();
  #chosenAt: number;

  constructor(clock: Clock, max: number) {
    this.#clock = clock;
    this.#max = max;
    this.#chosenAt = clock.now();
  }

  add(workspace: string, name: UseName, amount: number): void {
    if (workspace === otherWorkspaces) {
      this.#others[name] += amount;
      return;
    }
    if (Math.abs(this.#clock.now() - this.#chosenAt) >= intervalMs) this.#choose();
    if (this.#counted.size < this.#max && !this.#counted.has(workspace)) this.#counted.set(workspace, noUse());
    (this.#counted.get(workspace) ?? this.#others)[name] += amount;
    const recent = this.#recent.get(workspace);
    if (recent !== undefined) recent[name] += amount;
    else if (this.#recent.size < comparedMax) this.#recent.set(workspace, { ...noUse(), [name]: amount });
  }

  /** Each that counts by itself, and all others together. */
  list(): (readonly [workspace: string, use: Readonly<WorkspaceUse>])[] {
    return [...this.#counted, [otherWorkspaces, this.#others]];
  }

  #choose(): void {
    this.#chosenAt = this.#clock.now();
    const scores = this.#scores();
    const ranked = [...scores].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
    const noisiest = new Set(ranked.slice(0, this.#max).map(([workspace]) => workspace));
    const coming = [...noisiest].filter((workspace) => !this.#counted.has(workspace));
    const going = [...this.#counted.keys()]
      .filter((workspace) => !noisiest.has(workspace))
      .toSorted((a, b) => (scores.get(a) ?? 0) - (scores.get(b) ?? 0));
    // A quiet one keeps its place as long as no noisier one needs it.
    for (const workspace of going.slice(0, this.#counted.size + coming.length - this.#max))
      this.#counted.delete(workspace);
    for (const workspace of coming) this.#counted.set(workspace, noUse());
    this.#forgetHalf();
  }

  /** Its shares of what all have used lately, summed. */
  #scores(): Map<string, number> {
    const totals = noUse();
    for (const use of this.#recent.values()) for (const name of useNames) totals[name] += use[name];
    const share = (use: WorkspaceUse, name: UseName): number => (totals[name] === 0 ? 0 : use[name] / totals[name]);
    return new Map(
      [...this.#recent].map(([workspace, use]) => [
        workspace,
        useNames.reduce((sum, name) => sum + share(use, name), 0),
      ]),
    );
  }

  #forgetHalf(): void {
    for (const [workspace, use] of this.#recent) {
      for (const name of useNames) use[name] /= 2;
      if (use.requests < 1 && use.databaseSeconds < 0.01) this.#recent.delete(workspace);
    }
  }
}
