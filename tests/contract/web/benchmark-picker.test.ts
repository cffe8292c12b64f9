// The performance page compares with an instrument that is chosen by name: from the catalogue, or from what the entity holds.

import { beforeAll, expect, test } from 'vitest';
import { benchmarkTypes } from '../../../src/model/instrument/instrument.ts';
import { formatsOf } from '../../../src/surfaces/web/language/formats.ts';
import { plainText } from '../../setup/people/page-text.ts';
import { insertAdministrator, insertPerson, signIn, type SignedInCaller } from '../../setup/people/person-caller.ts';
import { ReferenceClient } from '../../setup/reference-portfolio/reference-client.ts';
import { readReferencePortfolio } from '../../setup/reference-portfolio/reference-portfolio.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';

const service = workspaceForThisFile();
const formats = formatsOf('en-GB');
const shown = 'start=2025-06-15&as_of=2025-09-30';
let client: ReferenceClient;
let administrator: SignedInCaller;
let viewer: SignedInCaller;
let share: { readonly id: string; readonly name: string };

beforeAll(async () => {
  client = await ReferenceClient.book(service.admin, readReferencePortfolio().facts);
  administrator = await signIn(service, await insertAdministrator(service));
  const membership = { client: client.id('client'), role: 'viewer', grants: [client.id('all')] } as const;
  viewer = await signIn(service, await insertPerson(service, { memberships: [membership] }));
  [share] = (await service.admin.get('/v1/instruments?type=stock-instrument&limit=1')).body.data;
});

async function open(person: SignedInCaller, query = ''): Promise<{ text: string; choices: string }> {
  const { text } = await person.send(`/entities/${client.id('all')}/performance?${shown}${query}`, {
    headers: { 'accept-language': 'en-GB' },
  });
  const [, choices = ''] = /<select[^>]*name="benchmark"[^>]*>(.*?)<\/select>/s.exec(text) ?? [];
  return { text: plainText(text), choices };
}

test('figures and the line have the name of the benchmark, for whoever may see it', async () => {
  const query = `start=2025-06-15&end=2025-09-30&benchmark=${share.id}&detail=summary`;
  const { body } = await service.admin.get(`/v1/performance?reporting_entity_id=${client.id('all')}&${query}`);
  for (const person of [administrator, viewer]) {
    const { text, choices } = await open(person, `&benchmark=${share.id}`);
    expect(text).toContain(`Benchmark ${formats.percent(body.benchmark.twr)} ${share.name}`);
    expect(text).toContain(`${formats.percent(body.benchmark.excess_return)} ${share.name}`);
    expect(text).toContain(`Time-weighted return ${share.name} Return over time`);
    expect(choices).toMatch(new RegExp(`value="${share.id}" selected`));
  }
});

test('administrators choose from the catalogue by type, others from what has a price and is held', async () => {
  const { data } = (await service.admin.get('/v1/instruments?limit=100')).body;
  const ofTypes = (wanted: boolean): string[] =>
    data.filter(({ type }: any) => benchmarkTypes.includes(type) === wanted).map(({ id }: any) => id);
  const { choices } = await open(administrator);
  for (const id of ofTypes(true)) expect(choices).toContain(id);
  expect(ofTypes(false)).not.toEqual([]);
  for (const id of ofTypes(false)) expect(choices).not.toContain(id);
  const seen = await open(viewer);
  expect(seen.choices).toContain(share.id);
  expect(seen.choices).not.toContain('Cash');
});

test('a name narrows the choices', async () => {
  const { choices } = await open(administrator, `&find=${encodeURIComponent(share.name.split(' ').at(-1) ?? '')}`);
  expect(choices.match(/<option/g)).toHaveLength(2);
});
