// Replaces the ids and secrets in real answers, which differ in each run, with the fixed ones that the reference shows.

import { demoTenant } from '../../../src/actions/access/bootstrap.ts';
import { demoIds } from '../../../src/actions/demo/seed-demo.ts';
import { isId, isUuid } from '../../../src/kit/id.ts';
import { exampleIdOfType } from '../../../src/kit/resource.ts';
import { isBuiltInId } from '../../../src/model/instrument/built-in-id.ts';
import { exampleUserId } from '../../../src/model/people/user.ts';
import type { Caller } from './caller.ts';
import type { ExampleWorld } from './example-world.ts';

/** Placeholders by member name: well-formed, and useless as secrets. */
const placeholders: Readonly<Record<string, string>> = {
  client_secret: 'hfs_an-example-of-a-secret-that-opens-nothing00',
  secret: 'hfw_an-example-of-a-secret-that-signs-nothing0',
  access_token: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhbiBleGFtcGxlIn0.YW4tZXhhbXBsZS1vZi1hLXNpZ25hdHVyZQ',
  ledger_version: 'c2FtZS1mYWN0cy1zYW1lLW',
  ledgerVersion: 'c2FtZS1mYWN0cy1zYW1lLW',
  x: 'QW4tZXhhbXBsZS1vZi10aGUtZmlyc3QtY29vcmRpbmF',
  y: 'QW4tZXhhbXBsZS1vZi10aGUtb3RoZXItY29vcmRpbmF',
  next_cursor: 'AQGh3xQeADAxYTFkZmFjNmIzM2FkNWQxMDRmZDVhYm5vIHJlYWwgY3Vyc29yLi4',
};

/** The address of the service in examples. */
const exampleAddress = 'https://wealth.example';

/** Live ids begin with the time of the test's clock, example ids with a fixed moment. */
const exampleIdPrefix = exampleIdOfType('').slice(0, 12);

/** What the seed of the demo creates has the same ids everywhere, except people. */
const demoIdPrefix = demoIds().next().slice(0, 12);

export function isDemoId(id: string): boolean {
  return id.startsWith(demoIdPrefix) || id === demoTenant.workspaceId;
}

const exampleUsers: readonly string[] = [
  exampleUserId,
  '01a1dfac-6b33-7a90-9f5e-0c4d2b6a8e71',
  '01a1dfac-6b33-7d14-a2c8-71e5f3094b26',
];

export class ExampleAnswers {
  readonly #world: ExampleWorld;
  readonly #exampleIds: ReadonlyMap<string, string>;
  /** The address of the service, whose port differs in each run. */
  readonly #address: string;

  private constructor(address: string, world: ExampleWorld, exampleIds: ReadonlyMap<string, string>) {
    this.#address = address;
    this.#world = world;
    this.#exampleIds = exampleIds;
  }

  /**
   * Looks up the records that exist besides the example world: the workspace, the credential, and the custodian created with the
   * account.
   */
  static async create(caller: Caller, world: ExampleWorld): Promise<ExampleAnswers> {
    const { workspace_id: workspace, credential_id: credential } = (await caller.get('/v1/me')).body;
    const { custodian_id: bank } = (await caller.get(`/v1/accounts/${world.idOf('account')}`)).body;
    const exampleIds = { workspace, credential, 'another custodian': bank };
    return new ExampleAnswers(
      caller.address,
      world,
      new Map(Object.entries(exampleIds).map(([kind, id]) => [id, exampleIdOfType(kind)])),
    );
  }

  /** Renders an answer about records of a type. A new record gets the example id of its type. */
  render(answer: unknown, type: string): unknown {
    const withExamples = this.#world.withExampleIds(answer);
    let text = JSON.stringify(withExamples, (member, value) => placeholders[member] ?? value);
    text = text.replaceAll(this.#address, exampleAddress);
    for (const [id, example] of this.#exampleIds) text = text.replaceAll(id, example);
    for (const [id, member] of findLiveIds(JSON.parse(text))) {
      const kind = member === 'id' ? type : member.replace(/_id$/, '');
      const examples = isUuid(id) ? exampleUsers : labelsFor(kind).map(exampleIdOfType);
      const unused = examples.find((example) => !text.includes(example));
      if (unused === undefined) throw new Error(`So many of a kind cannot be told apart: ${member} in ${text}`);
      text = text.replaceAll(id, unused);
    }
    return JSON.parse(text);
  }
}

function labelsFor(kind: string): readonly string[] {
  return [kind, ...['another', 'a third', 'a fourth', 'a fifth', 'a sixth'].map((word) => `${word} ${kind}`)];
}

/** Lists each live id once, with the member that it first appears in. */
function findLiveIds(answer: unknown): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  JSON.stringify(answer, (member, value) => {
    const isLive =
      typeof value === 'string' &&
      (isId(value) || isUuid(value)) &&
      !value.startsWith(exampleIdPrefix) &&
      !isBuiltInId(value) &&
      !isDemoId(value) &&
      !exampleUsers.includes(value);
    if (isLive && !found.has(value)) found.set(value, member);
    return value;
  });
  return found;
}
