// The pages of a reporting entity: tabs by role, the choices in the address, and the banner of what was known.

import { beforeAll, expect, test } from 'vitest';
import { makeReportHousehold, type ReportHousehold } from '../../setup/reports/report-household.ts';
import { insertAdministrator, insertPerson, signIn, type SignedInCaller } from '../../setup/people/person-caller.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';

const service = serviceForThisFile();
let household: ReportHousehold;
let viewer: SignedInCaller;
let advisor: SignedInCaller;

beforeAll(async () => {
  household = await makeReportHousehold(service.admin);
  const { client, all, broken, empty } = household;
  const person = async (role: 'viewer' | 'advisor'): Promise<SignedInCaller> =>
    signIn(service, await insertPerson(service, { memberships: [{ client, role, grants: [all, broken, empty] }] }));
  [viewer, advisor] = [await person('viewer'), await person('advisor')];
});

function tabsOf(text: string): string[] {
  const [, tabs = ''] = /<nav class="tabs"[^>]*>(.*?)<\/nav>/s.exec(text) ?? [];
  return [...tabs.matchAll(/<a [^>]*>(.*?)<\/a\s*>/gs)].map(([, title = '']) => title.trim());
}

test('each role sees the tabs that the API answers it', async () => {
  const path = `/entities/${household.all}`;
  const administrator = await signIn(service, await insertAdministrator(service));
  const shared = ['Overview', 'Holdings', 'Performance'];
  expect(tabsOf((await viewer.get(path)).text)).toEqual([...shared, 'Private markets', 'Income']);
  expect(tabsOf((await advisor.get(path)).text)).toEqual([
    ...shared,
    'Private markets',
    'Income',
    'Realised gains',
    'Data quality',
  ]);
  expect(tabsOf((await administrator.get(path)).text)).toEqual([
    ...shared,
    'Activity',
    'Private markets',
    'Income',
    'Realised gains',
    'Limits',
    'Data quality',
  ]);
});

test('what was not granted is not there', async () => {
  const reply = await viewer.get(`/entities/${household.other}`);
  expect([reply.status, reply.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
});

test('what the API refuses because of a choice is said on the page, between its controls', async () => {
  const reply = await viewer.get(`/entities/${household.all}?currency=JPY`);
  expect(reply.status).toBe(422);
  expect(reply.text).toContain('There is no exchange rate');
  expect(tabsOf(reply.text)).toContain('Holdings');
  const malformed = await viewer.get(`/entities/${household.all}?as_of=yesterday`);
  expect(malformed.status).toBe(400);
  expect(tabsOf(malformed.text)).toContain('Holdings');
});
