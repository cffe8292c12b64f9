// The scenarios and their contenders: plain SQL alone, plain SQL behind bare Fastify, and Holdfast's wires.

import { makeAgent } from '../http-load.ts';
import { deleteCreated, type StructureFixture } from './fixture.ts';
import { pageSize, type PlainSqlOptions } from './plain-sql.ts';
import type { MeasuredTarget, MeasuredTargets } from './targets.ts';
import {
  sampleAccount,
  jsonApiAccount,
  send,
  runConcurrently,
  v1Account,
  walkPages,
  type BenchCaller,
  type PostBody,
} from './work.ts';

export interface Contender {
  readonly name: string;
  readonly target: MeasuredTarget;
  /** Runs the scenario once, with this many requests. Over HTTP it returns the lists it received. */
  perform(requests: number): Promise<readonly Buffer[]>;
}

export interface Scenario {
  readonly title: string;
  /** The first two are the baselines for the others. */
  readonly contenders: readonly [sql: Contender, fastify: Contender, ...Contender[]];
  /** Requests per run, and how many of them are enough to warm up. */
  readonly requests: number;
  readonly warmUp: number;
  /** Runs per figure. */
  readonly times: number;
  /** Checks the result and restores the previous state. */
  after(answers: readonly Buffer[], requests: number): Promise<void>;
}

export interface ScenarioContext {
  readonly fixture: StructureFixture;
  readonly sqlOptions: PlainSqlOptions;
  readonly targets: MeasuredTargets;
  readonly accounts: number;
  readonly callers: number;
}

const plainSql = 'plain SQL, no HTTP';
const bareFastify = 'plain SQL behind bare Fastify';

export function scenarios(context: ScenarioContext): readonly Scenario[] {
  return [oneAnswer(context), pages(context), creation(context)];
}

function callerOf({ fixture, callers }: ScenarioContext): BenchCaller {
  return { headers: { authorization: `Bearer ${fixture.token}` }, agent: makeAgent(callers) };
}

function oneAnswer(context: ScenarioContext): Scenario {
  const { fixture, targets, accounts } = context;
  const caller = callerOf(context);
  const overHttp = (name: string, target: MeasuredTarget, path: string): Contender => {
    const url = `${target.address}${path}`;
    return { name, target, perform: async () => [await send(url, caller)] };
  };
  return {
    title: `${accounts} accounts of a legal entity listed in one answer`,
    contenders: [
      { name: plainSql, target: targets.sql, perform: () => targets.sql.perform('all') },
      overHttp(bareFastify, targets.fastify, '/all'),
      overHttp('Holdfast JSON:API', targets.holdfast, `/api/v2/legal-entities/${fixture.listedId}/accounts`),
    ],
    requests: 1,
    warmUp: 1,
    times: 10,
    after: async (answers) => checkListed(answers, context),
  };
}

function pages(context: ScenarioContext): Scenario {
  const { fixture, targets, accounts } = context;
  const caller = callerOf(context);
  const overHttp = (name: string, target: MeasuredTarget, path: string): Contender => {
    const url = `${target.address}${path}`;
    return { name, target, perform: () => walkPages(url, caller) };
  };
  return {
    title: `The same list read in ${accounts / pageSize} pages of ${pageSize}, one after the other`,
    contenders: [
      { name: plainSql, target: targets.sql, perform: () => targets.sql.perform('pages') },
      overHttp(bareFastify, targets.fastify, '/pages?'),
      overHttp('Holdfast v1', targets.holdfast, `/v1/accounts?limit=${pageSize}&entity_id=${fixture.listedId}`),
    ],
    requests: accounts / pageSize,
    warmUp: accounts / pageSize,
    times: 3,
    after: async (answers) => checkListed(answers, context),
  };
}

function creation(context: ScenarioContext): Scenario {
  const { fixture, sqlOptions, targets, accounts, callers } = context;
  const caller = callerOf(context);
  const overHttp = (
    name: string,
    target: MeasuredTarget,
    path: string,
    bodyOf: (index: number) => PostBody,
  ): Contender => {
    const url = `${target.address}${path}`;
    const perform = async (count: number): Promise<[]> => {
      await runConcurrently({ count, callers }, async (index) => void (await send(url, caller, bodyOf(index))));
      return [];
    };
    return { name, target, perform };
  };
  const below = `/api/v2/legal-entities/${fixture.growingId}/accounts`;
  return {
    title: `${accounts} accounts created by ${callers} callers, each in its own transaction`,
    contenders: [
      { name: plainSql, target: targets.sql, perform: (count) => targets.sql.perform('create', count) },
      overHttp(bareFastify, targets.fastify, '/accounts', plainAccount),
      overHttp('Holdfast v1', targets.holdfast, '/v1/accounts', (index) => v1Account(index, fixture.growingId)),
      overHttp('Holdfast JSON:API', targets.holdfast, below, jsonApiAccount),
    ],
    requests: accounts,
    warmUp: accounts / 10,
    times: 1,
    after: (_answers, made) => deleteCreated(sqlOptions, made),
  };
}

function plainAccount(index: number): PostBody {
  return { mediaType: 'application/json', text: JSON.stringify(sampleAccount(index)) };
}

/** Checks that every account is listed once, with all its depositories, in any format. */
function checkListed(answers: readonly Buffer[], { fixture, accounts }: ScenarioContext): void {
  if (answers.length === 0) return;
  const listed = answers.flatMap((answer) => JSON.parse(answer.toString()).data as any[]);
  const distinct = new Set(listed.map(({ id }) => id)).size;
  const links = listed.reduce(
    (sum, { depository_ids: ids, relationships }) => sum + (ids ?? relationships.depositories.data).length,
    0,
  );
  if (listed.length === accounts && distinct === accounts && links === fixture.links) return;
  throw new Error(`${listed.length} accounts were listed, ${distinct} of them different, with ${links} depositories.`);
}
