// Checks the demo family office over the API: its figures are the same on every machine and match the readme.

import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { Caller } from '../../../tests/setup/http/caller.ts';
import { serviceForThisFile } from '../../../tests/setup/node/test-service.ts';

const service = serviceForThisFile({ settings: { DEMO: 'on' } });
let demo: Caller;
let entity: string;

beforeAll(async () => {
  const application = service.demoApplication!;
  entity = application.reportingEntityId;
  demo = await Caller.withCredentials(service.addresses.baseUrl, application);
});

test('the readme shows the actual answer to its first call', async () => {
  const page = await readFile(new URL('../../../README.md', import.meta.url), 'utf8');
  const [, path] = /"http:\/\/127\.0\.0\.1:8080(\/v1\/performance\?[^"]+)"/.exec(page)!;
  const { status, text } = await demo.get(path!);
  expect(status).toBe(200);
  expect(page.split('\n')).toContain(text);
});

describe('the family', () => {
  test('is a root client with three children, each with a reporting entity', async () => {
    const { data: clients } = (await demo.get('/v1/clients')).body;
    const [root] = clients;
    expect(clients.map(({ parent_id }: { parent_id: string | null }) => parent_id)).toEqual([
      null,
      root.id,
      root.id,
      root.id,
    ]);
    const { data: entities } = (await demo.get('/v1/reporting-entities')).body;
    expect(new Set(entities.map(({ client_id }: { client_id: string }) => client_id)).size).toBe(4);
  });

  test('has holdings in five currencies and in every class', async () => {
    const segmentsBy = async (axis: string): Promise<string[]> => {
      const { body } = await demo.get(`/v1/holdings?reporting_entity_id=${entity}&by=${axis}`);
      return body.data.map(({ segment_name }: { segment_name: string }) => segment_name);
    };
    expect(await segmentsBy('currency')).toEqual(['CHF', 'EUR', 'GBP', 'JPY', 'USD']);
    expect((await segmentsBy('class')).toSorted()).toEqual([
      'Cash',
      'Derivatives',
      'Equities',
      'Fixed income',
      'Funds',
      'Private markets',
      'Real assets',
    ]);
  });

  test('has no negative holdings', async () => {
    const { data: entities } = (await demo.get('/v1/reporting-entities')).body;
    for (const { id } of entities) {
      const { data } = (await demo.get(`/v2/holdings/reporting-entities/${id}`)).body;
      expect(data.filter(({ quantity }: { quantity: number }) => quantity < 0)).toEqual([]);
    }
  });

  test('has three private-market funds', async () => {
    const { data } = (await demo.get(`/v2/performance/reporting-entities/${entity}/private-markets`)).body;
    expect(data).toHaveLength(4);
  });

  test('has people with grants who can be invited', async () => {
    const { data } = (await demo.get('/v1/users')).body;
    const rows = data.map((one: any) => [
      one.email,
      one.status,
      one.memberships.map(({ role }: any) => role).join(),
      one.reporting_entity_ids.length,
    ]);
    expect(rows.toSorted()).toEqual([
      ['beat@sonnenberg.example', 'invited', 'advisor,advisor', 2],
      ['erik@lindqvist.example', 'invited', 'viewer', 1],
      ['ingrid@lindqvist.example', 'invited', 'admin', 1],
    ]);
  });

  test('breaks one of its limits', async () => {
    const [root] = (await demo.get('/v1/clients')).body.data;
    const { data } = (await demo.get(`/v2/clients/${root.id}/limits-status`)).body;
    const states = data.map((limit: { reporting_entities: [{ state: string }] }) => limit.reporting_entities[0].state);
    expect(states).toEqual(['compliant', 'compliant', 'compliant', 'compliant', 'breached']);
  });
});
