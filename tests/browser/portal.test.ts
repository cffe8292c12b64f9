// The pages of the portal in Chromium: geometry, accessibility, keyboard and size, page by page.

import { beforeAll, expect, test } from 'vitest';
import { chromiumForThisFile } from '../setup/people/chromium.ts';
import { pageFaults } from '../setup/people/page-quality.ts';
import { insertPerson, signIn, type SignedInCaller } from '../setup/people/person-caller.ts';
import { makeReportHousehold, type ReportHousehold } from '../setup/reports/report-household.ts';
import { serviceForThisFile } from '../setup/node/test-service.ts';

const service = serviceForThisFile();
const chromium = chromiumForThisFile();
let household: ReportHousehold;
let person: SignedInCaller;

beforeAll(async () => {
  household = await makeReportHousehold(service.admin);
  const { client, all, empty } = household;
  const id = await insertPerson(service, {
    name: ['Astrid', 'Amsel'],
    memberships: [{ client, role: 'advisor', grants: [all, empty] }],
  });
  person = await signIn(service, id);
});

test.each([
  ['the overview', () => '/'],
  ['the overview of an entity', () => `/entities/${household.all}`],
])('%s has no fault', async (_name, path) => {
  const address = `${service.addresses.baseUrl}${path()}`;
  expect(await pageFaults(chromium, { address, person })).toEqual([]);
});
