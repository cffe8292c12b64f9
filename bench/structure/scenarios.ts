// What is tried, and the ways to do it: plain SQL by itself, the same behind bare Fastify, and Holdfast's wires.

import { makeAgent } from '../http-load.ts';
import { clearMade, type Ground } from './fixture.ts';
import { pageSize, type Place } from './plain-sql.ts';
import type { Target, Targets } from './targets.ts';
import { accountNamed, jsonApiAccount, send, together, v1Account, walk, type Caller, type Post } from './work.ts';

export interface Way {
  readonly name: string;
  readonly target: Target;
  /** Does it once, with so many requests. Over HTTP it hands over the lists it was answered. */
  perform(requests: number): Promise<readonly Buffer[]>;
}

export interface Trial {
  readonly title: string;
  /** The first two are what the others are held against. */
  readonly ways: readonly [sql: Way, fastify: Way, ...Way[]];
  /** Requests that doing it once takes, and how many of them are enough to warm up. */
  readonly requests: number;
  readonly warmUp: number;
  /** How many times it is done for one figure. */
  readonly times: number;
  /** Makes sure that what has been done is right, and restores what was there before. */
  after(answers: readonly Buffer[], requests: number): Promise<void>;
}

export interface Scene {
  readonly ground: Ground;
  readonly place: Place;
  readonly targets: Targets;
  readonly accounts: number;
  readonly callers: number;
}

const plainSql = 'plain SQL, no HTTP';
const bareFastify = 'plain SQL behind bare Fastify';

export function trialsOn(scene: Scene): readonly Trial[] {
  return [oneAnswer(scene), pages(scene), creation(scene)];
}

function callerOf({ ground, callers }: Scene): Caller {
  return { headers: { authorization: `Bearer ${ground.token}` }, agent: makeAgent(callers) };
}

function oneAnswer(scene: Scene): Trial {
  const { ground, targets, accounts } = scene;
  const caller = callerOf(scene);
  const over = (name: string, target: Target, path: string): Way => {
    const url = `${target.address}${path}`;
    return { name, target, perform: async () => [await send(url, caller)] };
  };
  return {
    title: `${accounts} accounts of a legal entity listed in one answer`,
    ways: [
      { name: plainSql, target: targets.sql, perform: () => targets.sql.perform('all') },
      over(bareFastify, targets.fastify, '/all'),
      over('Holdfast JSON:API', targets.holdfast, `/api/v2/legal-entities/${ground.listedId}/accounts`),
    ],
    requests: 1,
    warmUp: 1,
    times: 10,
    after: async (answers) => checkListed(answers, scene),
  };
}

function pages(scene: Scene): Trial {
  const { ground, targets, accounts } = scene;
  const caller = callerOf(scene);
  const over = (name: string, target: Target, path: string): Way => {
    const url = `${target.address}${path}`;
    return { name, target, perform: () => walk(url, caller) };
  };
  return {
    title: `The same walked in ${accounts / pageSize} pages of ${pageSize}, one after the other`,
    ways: [
      { name: plainSql, target: targets.sql, perform: () => targets.sql.perform('pages') },
      over(bareFastify, targets.fastify, '/pages?'),
      over('Holdfast v1', targets.holdfast, `/v1/accounts?limit=${pageSize}&entity_id=${ground.listedId}`),
    ],
    requests: accounts / pageSize,
    warmUp: accounts / pageSize,
    times: 3,
    after: async (answers) => checkListed(answers, scene),
  };
}

function creation(scene: Scene): Trial {
  const { ground, place, targets, accounts, callers } = scene;
  const caller = callerOf(scene);
  const over = (name: string, target: Target, path: string, bodyOf: (index: number) => Post): Way => {
    const url = `${target.address}${path}`;
    const perform = async (count: number): Promise<[]> => {
      await together({ count, callers }, async (index) => void (await send(url, caller, bodyOf(index))));
      return [];
    };
    return { name, target, perform };
  };
  const below = `/api/v2/legal-entities/${ground.growingId}/accounts`;
  return {
    title: `${accounts} accounts made by ${callers} callers, each in a transaction of its own`,
    ways: [
      { name: plainSql, target: targets.sql, perform: (count) => targets.sql.perform('create', count) },
      over(bareFastify, targets.fastify, '/accounts', plainAccount),
      over('Holdfast v1', targets.holdfast, '/v1/accounts', (index) => v1Account(index, ground.growingId)),
      over('Holdfast JSON:API', targets.holdfast, below, jsonApiAccount),
    ],
    requests: accounts,
    warmUp: accounts / 10,
    times: 1,
    after: (_answers, made) => clearMade(place, made),
  };
}

function plainAccount(index: number): Post {
  return { mediaType: 'application/json', text: JSON.stringify(accountNamed(index)) };
}

/** Every account once, with all its depositories, whatever the answer looks like. */
function checkListed(answers: readonly Buffer[], { ground, accounts }: Scene): void {
  if (answers.length === 0) return;
  const listed = answers.flatMap((answer) => JSON.parse(answer.toString()).data as any[]);
  const distinct = new Set(listed.map(({ id }) => id)).size;
  const links = listed.reduce(
    (sum, { depository_ids: ids, relationships }) => sum + (ids ?? relationships.depositories.data).length,
    0,
  );
  if (listed.length === accounts && distinct === accounts && links === ground.links) return;
  throw new Error(`${listed.length} accounts were listed, ${distinct} of them different, with ${links} depositories.`);
}
