// What is declared of every way the service says no.

export interface RefusalKind {
  readonly status: number;
  readonly title: string;
  /** What it means and what to do, for the reference. */
  readonly meaning: string;
}
