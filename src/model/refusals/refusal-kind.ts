// What is declared of each refusal.

export interface RefusalKind {
  readonly status: number;
  readonly title: string;
  /** What happened and what to do next, for the API reference. */
  readonly meaning: string;
}
