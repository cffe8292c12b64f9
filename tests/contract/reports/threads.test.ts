// Every operation that computes figures answers the same bytes in a work thread as without one. The tests of each report run without.

import { beforeAll, expect, test } from 'vitest';
import type { Operation } from '../../../src/surfaces/http/operation/operation.ts';
import { operations } from '../../../src/surfaces/operations.ts';
import { FullClient, isReport, sendOperation } from '../../setup/access/client-hierarchy.ts';
import { serviceForThisFile, startTestService, type TestService } from '../../setup/node/test-service.ts';

const service = serviceForThisFile();
let threaded: TestService;
let household: FullClient;

beforeAll(async () => {
  household = await FullClient.create(service.admin, 'Aldous');
  const { database, clock } = service;
  threaded = await startTestService({ database, clock, settings: { WORK_THREADS: '1' } });
  return () => threaded.stop();
});

const reports = operations.filter(isReport).map((operation): [string, Operation] => [operation.id, operation]);

test.each(reports)('%s', async (_id, operation) => {
  const { status, text } = await sendOperation(service.admin, operation, household);
  expect([status, text]).toEqual([200, text]);
  expect((await sendOperation(threaded.admin, operation, household)).text).toBe(text);
});
