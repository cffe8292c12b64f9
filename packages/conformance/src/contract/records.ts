// Makes the records that the examples of the document describe, in the client of the run, and puts their ids in place of those of the
// examples: so each operation can be sent as its own example has it.

import type { Api, Answer } from '../api.ts';
import { Skipped } from '../outcome.ts';
import type { Contract, Operation, Parameter } from './contract.ts';
import type { Json } from './json-schema.ts';

/** Ids as they are in examples: of records, and of people. */
const anyId = /\b([0-9a-f]{24}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})\b/g;

export const unknownId = 'ffffffffffff0000000000aa';
export const unknownUuid = '01900000-0000-7000-8000-0000000000aa';

/** The examples have the same id for clients of the sandbox as for any. */
const sandboxClient = 'sandbox-client';

/** Series of one instrument have one point for each day. */
const firstDay = Date.parse('2001-01-01');
/** Rates are shared by the whole workspace: on days like these they change nobody's figures. */
export const firstDateOfRates = '2199-01-01';
const firstDayOfRates = Date.parse(firstDateOfRates);

export interface RecordsOptions {
  readonly api: Api;
  readonly contract: Contract;
  /** The client of the run; undefined if the token may not write: then records are looked up, not made. */
  readonly client: string | undefined;
}

export class Records {
  readonly #api: Api;
  readonly #contract: Contract;
  readonly #client: string | undefined;
  /** What the examples' ids stand for: the names of resources, such as `account`. */
  readonly #resources = new Map<string, string>();
  readonly #ids = new Map<string, Promise<string>>();
  readonly #mark = Date.now().toString(36);
  #count = 0;
  /** Where the records are that were made, the latest last. */
  readonly made: string[] = [];

  constructor({ api, contract, client }: RecordsOptions) {
    this.#api = api;
    this.#contract = contract;
    this.#client = client;
    for (const { id, surface, parameters } of contract.operations) {
      const [, resource = '', act = ''] = id.split('.');
      const example = parameters.findLast((one) => one.in === 'path')?.example;
      const isNamed = surface === 'v1' && ['read', 'change', 'delete'].includes(act);
      if (isNamed && example !== undefined && !this.#resources.has(example)) this.#resources.set(example, resource);
    }
    this.#nameOthers();
    this.#resources.set(sandboxClient, sandboxClient);
    if (client !== undefined) this.#ids.set(this.exampleOf('client'), Promise.resolve(client));
  }

  /** Some paths have another record of a resource as their example: the segment before the id says of which. */
  #nameOthers(): void {
    const named = new Map<string | undefined, string>();
    for (const { id, path } of this.#contract.operations) {
      const [, resource = '', act] = id.split('.');
      if (act === 'read') named.set(/^\/v1\/([\w-]+)\/\{\w+\}$/.exec(path)?.[1], resource);
    }
    for (const { path, parameters } of this.#contract.operations) {
      for (const { in: place, name, example } of parameters) {
        const resource = named.get(new RegExp(`(?<![\\w-])([\\w-]+)/\\{${name}\\}`).exec(path)?.[1]);
        const isOther = place === 'path' && example !== undefined && !this.#resources.has(example);
        if (isOther && resource !== undefined) this.#resources.set(example, resource);
      }
    }
  }

  /** The id that the examples have for a resource. */
  exampleOf(resource: string): string {
    return [...this.#resources].find(([, name]) => name === resource)?.[0] ?? '';
  }

  #creatorOf(example: string): Operation | undefined {
    const resource = this.#resources.get(example);
    return this.#contract.get(resource === 'delivery' ? 'v1.webhook.test' : `v1.${resource}.create`);
  }

  /** The id of the record that stands for an id of the examples. */
  idFor(example: string): Promise<string> {
    const id = this.#ids.get(example) ?? this.#find(example);
    this.#ids.set(example, id);
    return id;
  }

  /** Uses another record from now on. */
  use(example: string, id: string): void {
    this.#ids.set(example, Promise.resolve(id));
  }

  #find(example: string): Promise<string> {
    const isMade = this.#client !== undefined && this.#creatorOf(example) !== undefined;
    return isMade ? this.another(example) : this.#look(example);
  }

  /** Finds a record that is there already: in the client of the run, or anywhere if the run makes none. */
  async #look(example: string): Promise<string> {
    const list = this.#contract.get(`v1.${this.#resources.get(example)}.list`);
    if (list === undefined || list.path.includes('{')) throw new Skipped('There is no record to try it with.');
    const isOfClient = this.#client !== undefined && list.parameters.some(({ name }) => name === 'client_id');
    const whose = isOfClient ? ' of the client that the checks have made' : '';
    const query = isOfClient ? `client_id=${this.#client}&limit=1` : 'limit=1';
    const { body } = await this.#api.get(`${list.path}?${query}`);
    if (body?.data?.[0] === undefined) throw new Skipped(`GET ${list.path} has nothing${whose} to try it with.`);
    return body.data[0].id;
  }

  /** Makes another record like one of the examples. */
  async another(example: string): Promise<string> {
    const creator = this.#creatorOf(example);
    if (creator === undefined || this.#client === undefined) return this.#look(example);
    const { status, text, body } = await this.send(creator);
    if (status > 201) throw new Error(`${creator.method} ${creator.path} answered ${status}: ${text.slice(0, 300)}`);
    return body.id;
  }

  /** Sends an operation as its example has it, with ids of this run. */
  async send(operation: Operation): Promise<Answer> {
    const path = await this.pathFor(operation);
    const answer = await this.#api.send(operation.method, path, {
      ...(await this.bodyFor(operation)),
      headers: typeOf(operation),
      server: operation.server,
    });
    this.keep(answer);
    return answer;
  }

  /** Remembers where a new record is. */
  keep({ status, headers }: Answer): void {
    const location = headers.get('location');
    if (status === 201 && location !== null) this.made.push(location);
  }

  /** The path with ids of this run, and its query: all that has an example. The last id may be another. */
  async pathFor({ path, parameters }: Operation, last?: string): Promise<string> {
    const pairs = parameters.filter(({ in: place, example }) => place !== 'header' && example !== undefined);
    const ownId = last === undefined ? undefined : pairs.findLast((one) => one.in === 'path');
    const values = new Map(
      await Promise.all(
        pairs.map(async (one) => [one, one === ownId ? last : await this.valueFor(one, path)] as const),
      ),
    );
    await this.#useInvitedUser(pairs, values);
    const query = new URLSearchParams(
      pairs.filter((one) => one.in === 'query').map((one) => [one.name, values.get(one) ?? '']),
    );
    const filled = path.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
      const parameter = pairs.find((one) => one.in === 'path' && one.name === name);
      return (parameter && values.get(parameter)) ?? whole;
    });
    return query.size === 0 ? filled : `${filled}?${query}`;
  }

  /** Where a path names an invite and its user, that is the one who was invited. */
  async #useInvitedUser(pairs: readonly Parameter[], values: Map<Parameter, string | undefined>): Promise<void> {
    const [user, invite] = ['user_id', 'invite_id'].map((name) => pairs.find((one) => one.name === name));
    if (user === undefined || invite === undefined) return;
    const { body } = await this.#api.get(`/v1/invites/${values.get(invite)}`);
    if (typeof body?.user_id === 'string') values.set(user, body.user_id);
  }

  /** The value of a parameter: of its example, with an id of this run. */
  valueFor({ example }: Parameter, path: string): Promise<string> {
    return path.startsWith('/v1/sandbox/clients/') ? this.idFor(sandboxClient) : this.live(String(example));
  }

  /** The body with ids of this run, and with other names, days and addresses where they must be new. */
  async bodyFor(operation: Operation): Promise<{ readonly body?: Json; readonly raw?: string }> {
    if (operation.file !== undefined) return { raw: operation.file };
    if (operation.body === undefined) return {};
    const body = await this.live(operation.body);
    const part = body?.data?.attributes ?? body;
    // Nobody takes it for a record of their own.
    if (typeof part?.name === 'string') part.name = `Conformance ${++this.#count}.${this.#mark}, ${part.name}`;
    if (operation.method === 'POST') this.#renew(operation, part);
    // Few mails may be sent to one address.
    if (operation.id === 'v1.invite.create') body.user_id = await this.another(this.exampleOf('user'));
    if (operation.path.startsWith('/v1/fx-rates/'))
      for (const row of body.data ?? []) row.date = dayAfter(firstDayOfRates, ++this.#count);
    return { body };
  }

  /** Puts ids of this run in place of those of the examples. */
  async live<T>(example: T): Promise<T> {
    const text = JSON.stringify(example);
    const known = new Map<string, string>();
    for (const [id] of text.matchAll(anyId))
      if (!known.has(id) && this.#resources.has(id)) known.set(id, await this.idFor(id));
    return JSON.parse(text.replaceAll(anyId, (id) => known.get(id) ?? id));
  }

  #renew({ path }: Operation, part: Json): void {
    const number = ++this.#count;
    for (const name of ['email', 'contactEmail'])
      if (typeof part[name] === 'string') part[name] = `conformance.${number}.${this.#mark}@example.com`;
    // Only one instrument has it, and somebody else may own it.
    delete part.isin;
    // The day of the example may have passed.
    if (typeof part.expires_at === 'string') part.expires_at = `${dayAfter(Date.now(), 180)}T00:00:00Z`;
    if (path === '/v1/sandbox/clients') {
      // A few days are enough, and quickly made.
      delete part.years;
      Object.assign(part, { start_date: '2025-03-03', end_date: '2025-03-05' });
    }
    if (path.endsWith('/identifier-mappings')) part.value = `${part.value} ${number}.${this.#mark}`;
    if (part.external_reference !== undefined) part.external_reference = `${number}.${this.#mark}`;
    const isPoint = /\/(prices|net-asset-values|interest-rates|index-factors|fx-rates|historical-holdings)$/.test(path);
    if (isPoint) part.date = dayAfter(path.endsWith('fx-rates') ? firstDayOfRates : firstDay, number);
  }
}

/** The header that says what the body is. */
export function typeOf({ mediaType }: Operation): Readonly<Record<string, string>> {
  return mediaType === undefined ? {} : { 'content-type': mediaType };
}

function dayAfter(first: number, days: number): string {
  return new Date(first + days * 86_400_000).toISOString().slice(0, 10);
}
