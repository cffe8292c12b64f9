// The order in which test files run. Those that take longest come first, so that at the end no worker is busy with one while the others
// have nothing left to do. Those of one project follow each other, because a worker that changes the project is started anew: the pure
// ones come last, since they are short.

import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Some that take long, the longest first; the others follow by size. A file that is missing here only costs time. */
const longest = [
  'src/main.test.ts',
  'tests/contract/operations/backup.test.ts',
  'tests/contract/conformance/conformance.test.ts',
  'tests/contract/structure/client-move.test.ts',
  'src/store/postgres/tenant-filter.test.ts',
  'tests/contract/http/openapi-contract.test.ts',
  'tests/contract/reports/known-at.test.ts',
  'tests/contract/access/intruder-matrix.test.ts',
  'tests/contract/cli/cli.test.ts',
  'tests/contract/access/scoped-token-matrix.test.ts',
  'tests/contract/http/malformed-values.test.ts',
  'tests/contract/availability/silent-database.test.ts',
  'tests/contract/access/smuggled-ids.test.ts',
  'tests/contract/access/audit-chain.test.ts',
  'tests/contract/access/request-log.test.ts',
  'tests/contract/people/person-scope.test.ts',
  'tests/contract/availability/replica.test.ts',
  'src/jobs/delivery-worker.test.ts',
  'tests/contract/access/untouched-rows.test.ts',
  'tests/contract/http/malformed-bodies.test.ts',
  'tests/contract/web/import-progress.test.ts',
  'tests/contract/access/untouched-by-jobs.test.ts',
  'tests/contract/availability/readiness.test.ts',
  'src/store/postgres/distribution/distribution-rules.test.ts',
  'tests/contract/http/bulk.test.ts',
  'tests/contract/operations/verify.test.ts',
  'tests/contract/reports/explain.test.ts',
  'tests/upgrades/upgrade.test.ts',
  'tests/contract/reports/long-reports.test.ts',
  'tests/contract/sdk/journey.test.ts',
  'tests/contract/reports/ledger-memory.test.ts',
  'tests/contract/guides/guides.test.ts',
  'src/actions/rounds/round-events.test.ts',
  'tests/contract/access/audit-chain-plan.test.ts',
  'tests/prepare.test.ts',
  'src/surfaces/http/openapi/openapi-document.test.ts',
  'src/surfaces/http/openapi/openapi-lint.test.ts',
  'src/store/postgres/embedded/embedded-postgres.test.ts',
  'src/engine/returns/segments/segment-returns-laws.test.ts',
  'src/kit/memory/own-text.test.ts',
  'src/kit/memory/heap-growth.test.ts',
  'src/signing/passphrase-seal.test.ts',
  'tests/browser/console-records.test.ts',
  'tests/browser/console-custody.test.ts',
  'tests/browser/demo.test.ts',
  'tests/browser/console-developers.test.ts',
  'tests/browser/portal-figures.test.ts',
  'tests/browser/portal.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = new Map(files.map((file) => [file, this.#rankOf(file)]));
    const rankOf = (file: TestSpecification): number => rank.get(file) ?? 0;
    // oxlint-disable-next-line unicorn/no-array-sort -- of the sequencer, which returns a new array
    const usual = await super.sort(files);
    return usual.toSorted((a, b) => rankOf(a) - rankOf(b));
  }

  #rankOf({ project, moduleId }: TestSpecification): number {
    const place = longest.indexOf(relative(this.ctx.config.root, moduleId));
    return (project.name === 'pure' ? longest.length + 1 : 0) + (place === -1 ? longest.length : place);
  }
}
