// What the contract tests cannot show on Citus, and why. Everything that is not named here runs there.

import { fileURLToPath } from 'node:url';

/** Whether the tests run on the servers that CITUS_URL names. */
export const isOnCitus = process.env['CITUS_URL'] !== undefined;

export interface Exception {
  /** Below `tests/contract`. */
  readonly file: string;
  /** As it is written in the file, or a part of it; the whole file if it is left out. */
  readonly title?: string;
  readonly reason: string;
}

const oneConnection = 'counts what is sent over the connections to one server; there are three';
const ownSql =
  'copies rows of one workspace into another with foreign keys off, in statements that no service runs and Citus does not carry';

export const exceptions: readonly Exception[] = [
  { file: 'access/untouched-by-jobs.test.ts', reason: ownSql },
  { file: 'access/untouched-rows.test.ts', reason: ownSql },
  {
    file: 'operations/metrics.test.ts',
    title: 'metrics that are asked for every second ask the database a few questions a minute',
    reason: oneConnection,
  },
];

export const contractFolder = fileURLToPath(new URL('../../contract/', import.meta.url));

/** The exceptions of a file, by its path. */
export function exceptionsOf(path: string): readonly Exception[] {
  return exceptions.filter(({ file }) => path === `${contractFolder}${file}`);
}
