// The small world that the examples of the reference speak of, made real: one thing of every kind, joined to each other.

import { fromDayNumber, toDayNumber } from '../../../src/kit/calendar-date.ts';
import { exampleIdOfType } from '../../../src/kit/resource.ts';
import { exampleUserId } from '../../../src/model/people/user.ts';
import { operations } from '../../../src/surfaces/operations.ts';
import type { Operation } from '../../../src/surfaces/http/operation/operation.ts';
import type { Caller } from './caller.ts';
import { deliverDueAt } from '../events/deliveries.ts';
import { runRounds } from '../limits/rounds.ts';

/** In an order in which each can refer to those before it. */
const recordTypes = [
  'client',
  'legal-entity',
  'custodian',
  'depository',
  'account',
  'reporting-entity',
  'portfolio',
  'user',
  'invite',
  'instrument-class',
  'instrument',
  'price',
  'net-asset-value',
  'interest-rate',
  'index-factor',
  'fx-rate',
  'transaction',
  'historical-holding',
  'limit',
  'calculation-round',
  'limit-breach',
  'event',
  'webhook',
  'delivery',
  'application',
  'key',
] as const;

export type RecordType = (typeof recordTypes)[number];

/** What is called otherwise here than in the examples, since no two may be called the same. */
export const uniquelyNamed: readonly string[] = ['custodian', 'instrument-class'];

/** Kinds that are another one in other words. */
const typeAliases: Readonly<Record<string, RecordType>> = { 'instrument-class-detailed': 'instrument-class' };

function typeOf(plural: string | undefined): string | undefined {
  return operations.find(({ resource }) => resource?.plural === plural)?.resource?.type;
}

/** What the last parameter of a path names: its own name says so, or what stands before it. */
export function recordTypeInPath(path: string): string | undefined {
  if (path.includes('{reportingEntityId}')) return 'reporting-entity';
  return typeOf([...path.matchAll(/\/([\w-]+)\/\{\w+\}/g)].at(-1)?.[1]);
}

/** A path on a thing, which its last parameter names; what stands above that is found by its type. */
export function pathToRecord(path: string, recordId: string, idOf: (type: string) => string): string {
  const last = path.lastIndexOf('{');
  return path.replaceAll(/([\w-]+)\/\{\w+\}/g, (whole, plural: string, at: number) => {
    return `${plural}/${at + whole.lastIndexOf('{') === last ? recordId : idOf(typeOf(plural)!)}`;
  });
}

/** The id that examples have for the thing of a kind. */
function exampleIdFor(type: string): string {
  return type === 'user' ? exampleUserId : exampleIdOfType(type);
}

/** The address of a user is for tokens of the whole workspace to change: all others change the rest. */
function removeAddress(body: any): void {
  delete body.email;
  delete body.data?.attributes.contactEmail;
}

/** How many worlds there are on the service at an address. */
const worldCounts = new Map<string, number>();

function nextWorldNumber({ address }: Caller): number {
  const number = worldCounts.get(address) ?? 0;
  worldCounts.set(address, number + 1);
  return number;
}

export class ExampleWorld {
  readonly #caller: Caller;
  readonly #ids = new Map<string, string>();
  /** What is called otherwise here than in the examples, because no two may be called the same. */
  readonly #names = new Map<string, string>();

  /** Rates are shared by all worlds of a workspace: each world has days of its own. */
  readonly #number: number;

  private constructor(caller: Caller) {
    this.#caller = caller;
    this.#number = nextWorldNumber(caller);
  }

  static async create(caller: Caller): Promise<ExampleWorld> {
    const world = new ExampleWorld(caller);
    for (const type of recordTypes) world.#ids.set(type, await world.make(type));
    return world;
  }

  idOf(type: string): string {
    const id = this.#ids.get(typeAliases[type] ?? type);
    if (id === undefined) throw new Error(`There is no ${type} in this world.`);
    return id;
  }

  ids(): readonly string[] {
    return [...this.#ids.values()];
  }

  /** The same with the ids of examples made those of this world. */
  withLiveIds<T>(example: T): T {
    if (example === undefined) return example;
    let text = JSON.stringify(example);
    for (const [type, id] of this.#ids) text = text.replaceAll(exampleIdFor(type), id);
    return JSON.parse(text);
  }

  /** What an answer tells of this world, in the words of the examples: `fit` the other way round. */
  withExampleIds<T>(answer: T): T {
    let text = JSON.stringify(answer);
    for (const [type, id] of this.#ids) text = text.replaceAll(id, exampleIdFor(type));
    for (const [fresh, name] of this.#names) {
      text = text.replaceAll(JSON.stringify(fresh), JSON.stringify(name));
      // Lots that an upload opened are named after its day.
      text = text.replaceAll(`"upload:${fresh}"`, `"upload:${name}"`);
    }
    return JSON.parse(text);
  }

  /** Another one like it, in the same place. */
  async make(type: RecordType | string): Promise<string> {
    if (type === 'audit-entry') return (await this.#caller.get('/v1/audit-log?limit=1')).body.data[0].id;
    if (type === 'calculation-round') return this.#makeRound();
    if (type === 'limit-breach') return this.#findBreach();
    if (type === 'event') return this.#findEvent();
    if (type === 'delivery') return this.#makeDelivery();
    const creation = operations.find(({ id }) => id === `v1.${typeAliases[type] ?? type}.create`)!;
    const parentType = recordTypeInPath(creation.path);
    const path = parentType === undefined ? creation.path : creation.path.replace(/\{\w+\}/, this.idOf(parentType));
    const { status, body, text } = await this.#caller.post(path, this.bodyFor(creation));
    if (status !== 201) throw new Error(`No ${type}: ${status} ${text}`);
    return body.id;
  }

  /** The last one of the client. */
  async #makeRound(): Promise<string> {
    await runRounds(this.#caller.address);
    const { body } = await this.#caller.get(`/v1/calculation-rounds?client_id=${this.idOf('client')}&limit=1`);
    return body.data[0].id;
  }

  /** What was told last of the client. */
  async #findEvent(): Promise<string> {
    return (await this.#caller.get(`/v1/events?client_id=${this.idOf('client')}&limit=1`)).body.data[0].id;
  }

  /** One that was made, so that it can be replayed. */
  async #makeDelivery(): Promise<string> {
    const { body } = await this.#caller.send(`/v1/webhooks/${this.idOf('webhook')}/test`, { method: 'POST' });
    await deliverDueAt(this.#caller.address);
    return body.id;
  }

  /** The limit of the examples is broken, as the round before has found. */
  async #findBreach(): Promise<string> {
    return (await this.#caller.get(`/v1/limit-breaches?limit_id=${this.idOf('limit')}`)).body.data[0].id;
  }

  /** The example body of an operation, on this world and on the thing that it is sent to. */
  bodyFor({ body, bulk, method, resource }: Operation, recordId?: string): any {
    const liveBody: any = this.withLiveIds(structuredClone(bulk ? { data: bulk.example } : body?.example));
    if (liveBody?.data?.id !== undefined) liveBody.data.id = recordId;
    if (method === 'POST' && liveBody && resource?.versions?.key.includes('date')) this.#useFreshDate(liveBody);
    if (method === 'PATCH' && resource?.type === 'user') removeAddress(liveBody);
    if (method === 'POST' && liveBody && ['user', 'invite'].includes(resource?.type ?? ''))
      this.#useFreshAddress(liveBody);
    return uniquelyNamed.includes(resource?.type ?? '') && liveBody
      ? { ...liveBody, name: this.#freshNameLike(liveBody.name) }
      : liveBody;
  }

  /** The query of the example request of an operation, on this world. */
  queryFor({ query }: Operation): string {
    const sent = Object.entries(query).filter(([, { example }]) => example !== undefined);
    if (sent.length === 0) return '';
    const examples = Object.fromEntries(sent.map(([name, { example }]) => [name, String(example)]));
    return `?${new URLSearchParams(this.withLiveIds(examples))}`;
  }

  /** What is stated again for the same day overwrites what was: each is of a day of its own. */
  #useFreshDate(body: any): void {
    const datedPart = body.data?.attributes ?? body;
    if (datedPart.date === undefined) return;
    const fresh = fromDayNumber(toDayNumber(datedPart.date) + this.#names.size + 1 + this.#number * 500);
    this.#names.set(fresh, datedPart.date);
    datedPart.date = fresh;
  }

  /** An address is somebody's once and for all. */
  #useFreshAddress(body: any): void {
    const addressedPart = body.data?.attributes ?? body;
    const name = 'contactEmail' in addressedPart ? 'contactEmail' : 'email';
    const address: string = addressedPart[name];
    const fresh = address.replace('@', `${this.#names.size + 1}.${this.#number}@`);
    this.#names.set(fresh, address);
    addressedPart[name] = fresh;
  }

  #freshNameLike(name: string): string {
    const fresh = `${name} ${this.#names.size + 1}`;
    this.#names.set(fresh, name);
    return fresh;
  }
}
