// A database of one test file, copied from a template that has every migration.

export interface TestDatabase {
  readonly url: string;
  readonly name: string;
  drop(): Promise<void>;
}
