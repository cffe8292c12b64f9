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
const ownSql = 'writes rows past the service, in statements that no service runs and Citus does not carry';

const trigger =
  'makes the database fail by a trigger or by a constraint with a function, which Citus allows on no spread table';
const oneRoute =
  'cuts or closes the way to one server only, while the workspace is on another: `npm run prove -- citus` takes servers away';

const hiddenParts = 'counts what is read of each table in a view in which Citus hides the parts of tables';
const plans = 'drops constraints and fills tables past the service, to read the plans of one server';
const brokenTable =
  'breaks a table under the running service; where tables are spread, that looks like a workspace that has moved';

const ofDefects = [
  'answers 500 with the request id and nothing else on every wire, and is logged and counted',
  'in a token request answers the same way',
  'rolls back the change it happened in',
].map((title) => ({ file: 'http/operator-endpoints.test.ts', title, reason: brokenTable }));

const ofNetwork = [
  'requests on silent connections are answered with 503, and those after them are served',
  'a silent commit is not reported as having changed nothing',
  'a writer that vanished in the middle of a change soon lets others change the same client',
  'a node whose connections are silent stops by itself, and answers the requests in progress',
].map((title) => ({ file: 'availability/silent-database.test.ts', title, reason: oneRoute }));

export const exceptions: readonly Exception[] = [
  { file: 'availability/contention.test.ts', reason: trigger },
  {
    file: 'availability/readiness.test.ts',
    title:
      'a database that is read-only: reads are answered, changes are refused with that reason, and made again afterwards',
    reason: oneRoute,
  },
  {
    file: 'availability/readiness.test.ts',
    title:
      'a database whose disk is full: reads are answered, changes are refused with that reason, and made again once there is room',
    reason: trigger,
  },
  {
    file: 'availability/readiness.test.ts',
    title: 'a full disk is noticed without a request that fails',
    reason: trigger,
  },
  ...ofNetwork,
  { file: 'http/database-outage.test.ts', reason: oneRoute },
  ...ofDefects,
  {
    file: 'operations/workspace-restore.test.ts',
    title: 'a copy that would have fewer rows than were counted',
    reason: trigger,
  },
  { file: 'structure/creation-trips.test.ts', reason: oneConnection },
  { file: 'bounds/filters-by-index.test.ts', reason: plans },
  { file: 'bounds/import-rows-by-index.test.ts', reason: plans },
  { file: 'events/delivery-plan.test.ts', reason: plans },
  {
    file: 'http/request-log.test.ts',
    title: 'are not in the line of a defect either, although the database error contains the row',
    reason: brokenTable,
  },
  { file: 'http/row-cap.test.ts', title: 'for a caller who sees', reason: hiddenParts },
  { file: 'http/pagination-while-writing.test.ts', reason: ownSql },
  {
    file: 'custody/file-drop.test.ts',
    title: 'attempts that end for another reason than the file are not counted',
    reason: trigger,
  },
  { file: 'access/untouched-by-jobs.test.ts', reason: ownSql },
  { file: 'access/untouched-rows.test.ts', reason: ownSql },
  { file: 'sandbox/sandbox-walls.test.ts', title: 'of the rows of others an operation changes none', reason: ownSql },
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
