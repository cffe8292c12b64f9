// Checks the demo over the API: its figures are the same on every machine and match the documents, and it shows every finding, warning,
// state of a limit and figure.

import { beforeAll, describe, expect, test } from 'vitest';
import { contains, listCommands, readPage } from '../../../tests/setup/docs/shown-answers.ts';
import { Caller } from '../../../tests/setup/http/caller.ts';
import { checkExplanations } from '../../../tests/setup/engine/explained-rows.ts';
import { runRounds } from '../../../tests/setup/limits/rounds.ts';
import { serviceForThisFile } from '../../../tests/setup/node/test-service.ts';
import { keysOf } from '../../kit/keys.ts';
import { findingCodes } from '../../model/report/finding.ts';
import { limitStates } from '../../model/report/limit-status.ts';
import { warningTexts } from '../../model/report/warning.ts';
import { operations } from '../../surfaces/operations.ts';

const service = serviceForThisFile({ settings: { DEMO: 'on' } });
let demo: Caller;
let entity: string;
/** Reporting entities by name. */
let entities: ReadonlyMap<string, string>;

beforeAll(async () => {
  const application = service.demoApplication!;
  entity = application.reportingEntityId;
  demo = await Caller.withCredentials(service.addresses.baseUrl, application);
  entities = await idsByName('/v1/reporting-entities?limit=100');
});

async function idsByName(path: string): Promise<ReadonlyMap<string, string>> {
  const { data } = (await demo.get(path)).body;
  return new Map(data.map(({ name, id }: { name: string; id: string }) => [name, id]));
}

const callPattern = /"http:\/\/127\.0\.0\.1:8080(\/v1\/[^"]+)"/;

test('the readme shows the actual answer to its first call', async () => {
  const page = await readPage('README.md');
  const [, path] = callPattern.exec(page)!;
  const { status, text } = await demo.get(path!);
  expect(status).toBe(200);
  expect(page.split('\n')).toContain(text);
});

test('the page about the demo shows parts of the actual answers to its calls', async () => {
  const page = await readPage('docs/demo.md');
  const calls = listCommands(page).filter(({ answer }) => answer?.format === 'json');
  expect(calls.length).toBeGreaterThan(5);
  for (const { command, answer } of calls) {
    const [, path] = callPattern.exec(command)!;
    const { body, text } = await demo.get(path!);
    const isShown = contains(body, JSON.parse(answer!.text));
    expect(isShown ? '' : `${path} answers ${text}`).toBe('');
  }
});

describe('the family', () => {
  test('is one client, whose consolidated entity covers every account of the parents, the children and the foundation', async () => {
    const { data: clients } = (await demo.get('/v1/clients')).body;
    const [family] = clients;
    expect(clients.map(({ name, parent_id }: any) => [name, parent_id])).toEqual([
      ['Lindqvist Family', null],
      ['Nyström Family, being taken over', null],
      ['Saga Nyström', clients[1].id],
    ]);
    const { data: accounts } = (await demo.get(`/v1/accounts?client_id=${family.id}`)).body;
    const { data: held } = (await demo.get(`/v1/holdings?reporting_entity_id=${entity}&by=account`)).body;
    const ids = (rows: any[], key: string): string[] => rows.map((row) => row[key]).toSorted();
    expect(accounts).toHaveLength(11);
    expect(ids(held, 'segment_id')).toEqual(ids(accounts, 'id'));
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

  test('has no findings on the last day of its history, and neither has the child of the client that is being taken over', async () => {
    const inOrder = [...entities].filter(([name]) => !name.startsWith('Nyström'));
    expect(inOrder).toHaveLength(5);
    for (const [name, id] of inOrder) {
      const { counts } = (await demo.get(`/v1/data-quality?reporting_entity_id=${id}&as_of=2026-10-30`)).body;
      expect([name, counts]).toEqual([name, []]);
    }
  });

  test('has private-market funds whose return begins below zero and rises (the J-curve)', async () => {
    const irrs = await Promise.all(
      ['2017-12-31', '2019-12-31', '2021-12-31', '2023-12-31', '2026-10-30'].map(async (day) => {
        const path = `/v1/performance/private-markets?reporting_entity_id=${entity}&as_of=${day}`;
        const { data } = (await demo.get(path)).body;
        expect(data).toHaveLength(5);
        return Number(data[0].irr);
      }),
    );
    expect(irrs[0]).toBeLessThan(-0.1);
    expect(irrs.at(-1)).toBeGreaterThan(0.05);
    expect(irrs.toSorted((one, other) => one - other)).toEqual(irrs);
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
      ['beat@sonnenberg.example', 'invited', 'advisor,advisor', 3],
      ['erik@lindqvist.example', 'invited', 'viewer', 1],
      ['ingrid@lindqvist.example', 'invited', 'admin', 1],
    ]);
  });

  test('breaks one of its limits', async () => {
    const [root] = (await demo.get('/v1/clients')).body.data;
    const { data } = (await demo.get(`/v2/clients/${root.id}/limits-status`)).body;
    const states = data.map((limit: { reporting_entities: [{ state: string }] }) => limit.reporting_entities[0].state);
    expect(states).toEqual(['compliant', 'compliant', 'compliant', 'compliant', 'breached', 'compliant']);
  });
});

describe('the demo shows', () => {
  /** The reports of v1 by their paths, with the parameters to ask each for. Those about other answers are left out. */
  let questions: Readonly<Record<string, readonly string[]>>;
  const aboutOthers = ['/v1/explain', '/v1/restatements', '/v1/reconciliations', '/v1/activity'];
  let instruments: ReadonlyMap<string, string>;
  /** The answers to all of them about all reporting entities that have figures, and of all limits. */
  const answers: { readonly path: string; readonly body: any }[] = [];

  beforeAll(async () => {
    instruments = await idsByName('/v1/instruments?limit=100');
    const index = instruments.get('Seefeld Global Equity Fund')!;
    const late = instruments.get('Nordic Transition Fund I')!;
    questions = {
      '/v1/holdings': ['by=instrument', 'by=account', 'by=class'],
      '/v1/lots': ['limit=100'],
      '/v1/realised-gains': ['limit=100', 'by=instrument'],
      '/v1/allocation': ['by=class,currency'],
      '/v1/performance': [
        'by=instrument,account&detail=summary',
        `start=2016-01-01&end=2026-12-31&by=account,instrument&detail=summary&benchmark=${index}`,
        `start=2026-10-01&benchmark=${index}`,
        'start=2027-01-01&end=2027-12-31',
      ],
      '/v1/performance/private-markets': [`index=${index}`],
      '/v1/data-quality': ['limit=100'],
    };
    const requests = [...entities.values()].flatMap((id) =>
      Object.entries(questions).flatMap(([path, all]) => all.map((query) => ({ path, query, id }))),
    );
    // A benchmark without values in most of the window.
    requests.push({ path: '/v1/performance', query: `start=2016-01-01&detail=summary&benchmark=${late}`, id: entity });
    requests.push({ path: '/v1/performance/private-markets', query: `index=${late}`, id: entity });
    for (const { path, query, id } of requests) {
      const { status, body, text } = await demo.get(`${path}?reporting_entity_id=${id}&${query}`);
      if (status === 200) answers.push({ path, body });
      else if (body.code !== 'fx-rate-missing') throw new Error(`${path} ${query}: ${text}`);
    }
    await runRounds(service.addresses.baseUrl);
    for (const { id } of (await demo.get('/v1/limits')).body.data)
      answers.push({ path: '/v1/limits/{id}/status', body: (await demo.get(`/v1/limits/${id}/status`)).body });
  });

  test('answers to every report of v1', () => {
    const reports = operations.filter(({ id }) => /^v1\..*\.report$/.test(id)).map(({ path }) => path);
    expect([...Object.keys(questions), ...aboutOthers].toSorted()).toEqual(reports.toSorted());
  });

  test('every kind of finding', () => {
    const found = new Set(answersOf('/v1/data-quality').flatMap(({ counts }) => counts.map(({ code }: any) => code)));
    // Breaks come from statements, which the seed has none of.
    const missing = findingCodes.filter((code) => !found.has(code) && !code.startsWith('break-'));
    // Named lots have to add up to the units sold, so that no request leads to this one.
    expect(missing).toEqual(['too-much-named']);
  });

  test('every warning', () => {
    const found = new Set(
      answers.flatMap(({ body }) => [...membersNamed('warnings', body)].flat().map(({ code }: any) => code)),
    );
    expect(keysOf(warningTexts).filter((code) => !found.has(code))).toEqual([]);
  });

  test('every state of a limit, and both reasons why one cannot be evaluated', () => {
    const statuses = answersOf('/v1/limits/{id}/status').flatMap((status) => status.reporting_entities);
    const states = new Set(statuses.map(({ state }) => state));
    expect(limitStates.filter((state) => !states.has(state))).toEqual([]);
    expect([...new Set(statuses.map(({ reason }) => reason))].toSorted()).toEqual([
      'fx-rate-missing',
      'no-value',
      null,
    ]);
  });

  test('every figure: no member of any answer is always null or empty', () => {
    const hasValue = new Map<string, boolean>();
    for (const { path, body } of answers) noteMembers(hasValue, path, body);
    const never = [...hasValue].filter(([, isSeen]) => !isSeen).map(([path]) => path);
    // Nobody in the demo has flows that several rates fit.
    expect(never.filter((path) => !path.endsWith('_roots'))).toEqual([]);
  });

  test('how every figure came about, by formulas that give it', async () => {
    // Short windows and pages: large trees are cut, and take long to check.
    const explained = {
      '/v1/holdings': 'by=class',
      '/v1/lots': 'limit=10',
      '/v1/realised-gains': 'limit=10&by=class',
      '/v1/allocation': 'by=class',
      '/v1/performance': 'start=2026-10-23&detail=summary&benchmark=' + instruments.get('Seefeld Global Equity Fund')!,
      '/v1/performance/private-markets': `index=${instruments.get('Seefeld Global Equity Fund')!}&every=year`,
      '/v1/data-quality': 'limit=100',
      '/v1/activity': 'limit=20',
    };
    const seen = new Set<string>();
    for (const [path, query] of Object.entries(explained)) {
      const id = entities.get('Nyström, known so far')!;
      const { body } = await demo.get(`${path}?reporting_entity_id=${id}&${query}&explain=true`);
      for (const name of checkExplanations(body)) seen.add(`${path}${name}`);
    }
    const missing = [
      '/v1/realised-gains.data[].quantity',
      '/v1/realised-gains.subtotals[].total.gain',
      '/v1/performance/private-markets.data[].market_value',
      '/v1/performance/private-markets.data[].periods[].net_cash_flow',
      '/v1/data-quality.data[].effect',
      '/v1/activity.data[].amount',
    ].filter((one) => !seen.has(one));
    expect(missing).toEqual([]);
    expect(seen.size).toBeGreaterThan(80);
  });

  function answersOf(path: string): any[] {
    return answers.filter((answer) => answer.path === path).map(({ body }) => body);
  }
});

function* membersNamed(name: string, value: any): Generator<any> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, one] of Object.entries(value)) {
    if (key === name) yield one;
    yield* membersNamed(name, one);
  }
}

/** Notes for every path whether a value was seen there. */
function noteMembers(hasValue: Map<string, boolean>, path: string, value: any): void {
  const isEmpty = value === null || (Array.isArray(value) && value.length === 0);
  hasValue.set(path, hasValue.get(path) === true || !isEmpty);
  if (Array.isArray(value)) for (const one of value) noteMembers(hasValue, `${path}[]`, one);
  else if (typeof value === 'object' && value !== null)
    for (const [key, one] of Object.entries(value)) noteMembers(hasValue, `${path}.${key}`, one);
}
