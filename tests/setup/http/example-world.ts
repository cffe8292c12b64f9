// Creates the small world that the examples of the reference describe: one record of every type, linked to each other.

import { fromDayNumber, toDayNumber } from '../../../src/kit/calendar-date.ts';
import { exampleIdOfType } from '../../../src/kit/resource.ts';
import { seriesPoints } from '../../../src/model/instrument/series-point.ts';
import { seriesHolderId } from '../../../src/surfaces/http/openapi/parameters.ts';
import { isIsin } from '../../../src/model/instrument/security-code.ts';
import { exampleAdministratorId } from '../../../src/model/people/administrator.ts';
import { exampleUserId } from '../../../src/model/people/user.ts';
import { session } from '../../../src/model/access/session.ts';
import { operations } from '../../../src/surfaces/operations.ts';
import type { Operation } from '../../../src/surfaces/http/operation/operation.ts';
import type { Caller } from './caller.ts';
import { letFeedRun, listExampleAccounts, makeFeedRun } from '../custody/example-custody.ts';
import { deliverDueAt } from '../events/deliveries.ts';
import { runRounds } from '../limits/rounds.ts';
import { state } from '../reconciliation/stated-household.ts';

/** In an order in which each can refer to those before it. */
const recordTypes = [
  'client',
  'legal-entity',
  'custodian',
  'depository',
  'account',
  'auth-flow',
  'auth-flow-file',
  'authority',
  'feed-run',
  'reporting-entity',
  'portfolio',
  'user',
  'invite',
  'administrator',
  'import-profile',
  'instrument-class',
  'instrument',
  'identifier-mapping',
  'price',
  'net-asset-value',
  'interest-rate',
  'index-factor',
  'fx-rate',
  'transaction',
  'import',
  'historical-holding',
  'limit',
  'calculation-round',
  'limit-breach',
  'reconciliation-break',
  'event',
  'webhook',
  'delivery',
  'application',
  'key',
] as const;

export type RecordType = (typeof recordTypes)[number];

/** Types whose records need other names here than in the examples, since names must be unique. */
export const uniquelyNamed: readonly string[] = ['custodian', 'instrument-class'];

/** Other names for some record types. */
const typeAliases: Readonly<Record<string, RecordType>> = { 'instrument-class-detailed': 'instrument-class' };

/** The record type by its plural, as paths have it; the first declaration counts. */
const typesByPlural = new Map<string | undefined, string>(
  operations
    .flatMap(({ resource, pathResource }) => resource ?? pathResource ?? [])
    .map(({ plural, type }) => [plural, type] as const)
    .toReversed(),
);

function typeOf(plural: string | undefined): string | undefined {
  return typesByPlural.get(plural);
}

/** The record type of the last parameter of a path, from the parameter's name or the segment before it. */
export function recordTypeInPath(path: string): string | undefined {
  if (path.includes('{reportingEntityId}')) return 'reporting-entity';
  return typeOf([...path.matchAll(/\/([\w-]+)\/\{\w+\}/g)].at(-1)?.[1]);
}

/** Fills in a path: the last parameter names the record, the others are found by their types. */
export function pathToRecord(path: string, recordId: string, idOf: (type: string) => string): string {
  const last = path.lastIndexOf('{');
  return path.replaceAll(/([\w-]+)\/\{\w+\}/g, (whole, plural: string, at: number) => {
    return `${plural}/${at + whole.lastIndexOf('{') === last ? recordId : idOf(typeOf(plural)!)}`;
  });
}

/** The id that the examples use for a record type. */
function exampleIdFor(type: string): string {
  if (type === 'administrator') return exampleAdministratorId;
  return type === 'user' ? exampleUserId : exampleIdOfType(type);
}

const typesByExampleId = new Map([
  ...[...recordTypes, session.type].map((type) => [exampleIdFor(type), type] as const),
  // The instrument of these examples has every series.
  ...seriesPoints.map((resource) => [seriesHolderId(resource), 'instrument'] as const),
]);
const anyExampleId = new RegExp([...typesByExampleId.keys()].join('|'), 'g');

/** Only tokens for the whole workspace may change a user's email address, so others change the remaining fields. */
function removeAddress(body: any): void {
  delete body.email;
  delete body.data?.attributes.contactEmail;
}

/** What the custodian of the examples states: without the latest purchase, and with a fee that nobody has booked. */
const units = { date: '2026-03-31', quantity: '1500', isOfBoth: true } as const;

const balance = { date: '2026-03-31', quantity: '10422.5' } as const;

/** They are possible, or do something, while an import is not booked. */
const stepsBeforeBooking: readonly string[] = ['v1.import.check', 'v1.import.change', 'v1.import.create-missing'];

/** The number of worlds on the service at each address. */
const worldCounts = new Map<string, number>();

function nextWorldNumber({ address }: Caller): number {
  const number = worldCounts.get(address) ?? 0;
  worldCounts.set(address, number + 1);
  return number;
}

export class ExampleWorld {
  readonly #caller: Caller;
  readonly #ids = new Map<string, string>();
  /** Names that differ from those of the examples, since names must be unique. */
  readonly #names = new Map<string, string>();

  #breakCount = 0;

  /** Exchange rates are shared by all worlds of a workspace, so each world uses different days. */
  readonly #number: number;

  private constructor(caller: Caller) {
    this.#caller = caller;
    this.#number = nextWorldNumber(caller);
  }

  static async create(caller: Caller): Promise<ExampleWorld> {
    const world = new ExampleWorld(caller);
    for (const type of recordTypes) world.#ids.set(type, await world.make(type));
    world.#ids.set(session.type, await world.make(session.type));
    await listExampleAccounts(caller, world.idOf('authority'));
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

  /** The id of each type. */
  entries(): Iterable<readonly [type: string, id: string]> {
    return this.#ids.entries();
  }

  /** Replaces example ids with those of this world. */
  withLiveIds<T>(example: T): T {
    if (example === undefined) return example;
    const liveId = (id: string): string => this.#ids.get(typesByExampleId.get(id) ?? '') ?? id;
    return JSON.parse(JSON.stringify(example).replaceAll(anyExampleId, liveId));
  }

  /** Replaces the ids of this world with example ids: the reverse of `withLiveIds`. */
  withExampleIds<T>(answer: T): T {
    let text = JSON.stringify(answer);
    for (const [type, id] of this.#ids) text = text.replaceAll(id, exampleIdFor(type));
    for (const [fresh, name] of this.#names) {
      text = text.replaceAll(JSON.stringify(fresh), JSON.stringify(name));
      // The names of lots opened by an upload contain its date.
      text = text.replaceAll(`"upload:${fresh}"`, `"upload:${name}"`);
    }
    return JSON.parse(text);
  }

  /** Creates another record of this type with the same parent. */
  async make(type: RecordType | string): Promise<string> {
    if (type === 'audit-entry') return (await this.#caller.get('/v1/audit-log?limit=1')).body.data[0].id;
    if (type === 'calculation-round') return this.#makeRound();
    if (type === 'authority') return this.#makeAuthority();
    if (type === 'feed-run') return makeFeedRun(this.#caller, { ...this.#owner(), authority: this.idOf('authority') });
    if (type === 'limit-breach') return this.#findBreach();
    if (type === 'reconciliation-break') return this.#makeBreak();
    if (type === 'event') return this.#findEvent();
    if (type === 'delivery') return this.#makeDelivery();
    // Applications have no sessions: nobody has this one.
    if (type === session.type) return exampleIdOfType(type);
    const creation = operations.find(({ id }) => id === `v1.${typeAliases[type] ?? type}.create`)!;
    const parentType = recordTypeInPath(creation.path);
    const path = parentType === undefined ? creation.path : creation.path.replace(/\{\w+\}/, this.idOf(parentType));
    // Only a booked import can be undone.
    return this.#send(creation, path + this.queryFor(creation) + (type === 'import' ? '&book=true' : ''));
  }

  async #send(creation: Operation, address: string): Promise<string> {
    const { status, body, text } = await this.#caller.post(address, this.bodyFor(creation));
    if (status !== 201) throw new Error(`Nothing made by ${creation.id}: ${status} ${text}`);
    return body.id;
  }

  #owner(): { readonly client: string; readonly custodian: string } {
    return { client: this.idOf('client'), custodian: this.idOf('custodian') };
  }

  /** Returns the latest round of the client. */
  async #makeRound(): Promise<string> {
    await runRounds(this.#caller.address);
    const { body } = await this.#caller.get(`/v1/calculation-rounds?client_id=${this.idOf('client')}&limit=1`);
    return body.data[0].id;
  }

  /** Creates a record on which an operation is possible. */
  async makeFor({ id, path }: Pick<Operation, 'id' | 'path'>): Promise<string> {
    if (id === 'v1.auth-flow.consent') return this.#makeFlowWithFiles();
    if (id === 'v1.auth-flow.submit' || id === 'v1.auth-flow.grant') return this.#makeConsentedFlow();
    if (stepsBeforeBooking.includes(id)) return this.#makeCheckedImport();
    const recordId = await this.make(recordTypeInPath(path)!);
    if (id === 'v1.import.delete') await this.#caller.send(`/v1/imports/${recordId}/undo`, { method: 'POST' });
    if (id === 'v1.feed-run.run') await letFeedRun(this.#caller, recordId);
    if (id === 'v1.authority.confirm-revocation') {
      await this.#caller.send(`/v1/admin/authorities/${recordId}/revoke`, { method: 'POST' });
    }
    return recordId;
  }

  #makeCheckedImport(): Promise<string> {
    const creation = operations.find(({ id }) => id === 'v1.import.create')!;
    return this.#send(creation, creation.path + this.queryFor(creation));
  }

  async #makeFlowWithFiles(): Promise<string> {
    const flow = await this.make('auth-flow');
    const { missing_files: missing } = (await this.#caller.get(`/v1/auth-flows/${flow}`)).body;
    for (const name of missing) {
      const file = { name, expected_file: name, media_type: 'application/pdf', content: 'JVBERi0xLjcK' };
      await this.#caller.post(`/v1/admin/auth-flows/${flow}/files`, file);
    }
    return flow;
  }

  async #makeConsentedFlow(): Promise<string> {
    const flow = await this.#makeFlowWithFiles();
    await this.#caller.post(`/v1/admin/auth-flows/${flow}/consent`, { consent_type: 'operator' });
    return flow;
  }

  /** Makes an active authority. */
  async #makeAuthority(): Promise<string> {
    const { status, body, text } = await this.#caller.post(
      `/v1/admin/auth-flows/${await this.#makeConsentedFlow()}/grant`,
      {},
    );
    if (status !== 200) throw new Error(`No authority: ${status} ${text}`);
    return body.authority_id;
  }

  /** Returns the latest event of the client. */
  async #findEvent(): Promise<string> {
    return (await this.#caller.get(`/v1/events?client_id=${this.idOf('client')}&limit=1`)).body.data[0].id;
  }

  /** Makes a delivery that was attempted, so that it can be replayed. */
  async #makeDelivery(): Promise<string> {
    const { body } = await this.#caller.send(`/v1/webhooks/${this.idOf('webhook')}/test`, { method: 'POST' });
    await deliverDueAt(this.#caller.address);
    return body.id;
  }

  /** The limit of the examples is breached, as the previous round has found. */
  async #findBreach(): Promise<string> {
    return (await this.#caller.get(`/v1/limit-breaches?limit_id=${this.idOf('limit')}`)).body.data[0].id;
  }

  /** Lets a custodian state another balance and other units than the ledger has: of the instrument, then of others that nobody knows. */
  async #makeBreak(): Promise<string> {
    const [client, account, depository] = [this.idOf('client'), this.idOf('account'), this.idOf('depository')];
    const name = `Unknown ${++this.#breakCount}`;
    const instrument = this.#breakCount === 1 ? this.idOf('instrument') : { name };
    await state(this.#caller, { client, account, depository }, { instrument, ...units }, balance);
    await runRounds(this.#caller.address);
    const { body } = await this.#caller.get(`/v1/reconciliation-breaks?client_id=${client}&state=open`);
    return body.data.find((one: any) => one.instrument_id === instrument || one.named?.name === name).id;
  }

  /** The example body of an operation, with ids of this world and of the target record. */
  bodyFor({ body, bulk, upload, method, resource }: Operation, recordId?: string): any {
    if (upload !== undefined) return Buffer.from(upload.example);
    const liveBody: any = this.withLiveIds(structuredClone(bulk ? { data: bulk.example } : body?.example));
    if (liveBody?.data?.id !== undefined) liveBody.data.id = recordId;
    if (method === 'POST' && liveBody && resource?.versions?.key.includes('date')) this.#useFreshDate(liveBody);
    if (method === 'PATCH' && resource?.type === 'user') removeAddress(liveBody);
    if (method === 'POST' && liveBody && resource?.table === 'instrument') this.#useFreshIsin(liveBody);
    if (method === 'POST' && liveBody && resource?.type === 'identifier-mapping')
      liveBody.value = this.#freshNameLike(liveBody.value);
    if (method === 'POST' && liveBody && ['user', 'invite', 'administrator'].includes(resource?.type ?? ''))
      this.#useFreshAddress(liveBody);
    return uniquelyNamed.includes(resource?.type ?? '') && liveBody?.name !== undefined
      ? { ...liveBody, name: this.#freshNameLike(liveBody.name) }
      : liveBody;
  }

  /** The query string of an operation's example, with ids of this world. */
  queryFor({ query }: Operation): string {
    const sent = Object.entries(query).filter(([, { example }]) => example !== undefined);
    if (sent.length === 0) return '';
    const examples = Object.fromEntries(sent.map(([name, { example }]) => [name, String(example)]));
    return `?${new URLSearchParams(this.withLiveIds(examples))}`;
  }

  /** A second statement for the same day would overwrite the first, so each gets a different day. */
  #useFreshDate(body: any): void {
    const datedPart = body.data?.attributes ?? body;
    if (datedPart.date === undefined) return;
    const fresh = fromDayNumber(toDayNumber(datedPart.date) + this.#names.size + 1 + this.#number * 500);
    this.#names.set(fresh, datedPart.date);
    datedPart.date = fresh;
  }

  /** Each email address can be used only once. */
  #useFreshAddress(body: any): void {
    const addressedPart = body.data?.attributes ?? body;
    const name = 'contactEmail' in addressedPart ? 'contactEmail' : 'email';
    const address: string = addressedPart[name];
    const fresh = address.replace('@', `${this.#names.size + 1}.${this.#number}@`);
    this.#names.set(fresh, address);
    addressedPart[name] = fresh;
  }

  /** Each ISIN can be used only once in a catalogue. */
  #useFreshIsin(body: any): void {
    const identifiedPart = body.data?.attributes ?? body;
    if (identifiedPart.isin === undefined) return;
    const base = `CH${String(this.#number * 1000 + this.#names.size + 1).padStart(9, '0')}`;
    const fresh = Array.from('0123456789', (digit) => base + digit).find(isIsin)!;
    this.#names.set(fresh, identifiedPart.isin);
    identifiedPart.isin = fresh;
  }

  #freshNameLike(name: string): string {
    const fresh = `${name} ${this.#names.size + 1}`;
    this.#names.set(fresh, name);
    return fresh;
  }
}
