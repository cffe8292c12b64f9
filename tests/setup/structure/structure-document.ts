// Structure records as each wire writes them, for tests that compare whole bodies, with short ways to create, link and write them
// concurrently.

import type { Caller, Reply } from '../http/caller.ts';
import type { ReportedRefusal } from './client-document.ts';
import type { TestDatabase } from '../database/test-database.ts';
import { awaitLockWaits } from '../database/lock-waits.ts';
import { LockHolder } from '../database/database-parts.ts';

/** The clock of a test service shows this moment until the test moves it. */
export const testNow = '2026-11-15T12:00:00.000Z';
export const unknownId = '0123456789abcdef01234567';

interface Identifier {
  readonly type: string;
  readonly id: string;
}

export function toOne(type: string, id: string): { data: Identifier } {
  return { data: { type, id } };
}

export function toMany(type: string, ids: readonly string[]): { data: Identifier[] } {
  return { data: ids.map((id) => ({ type, id })) };
}

/** A document that creates a record. */
export function newDocument(type: string, attributes: object, relationships?: object): object {
  return { data: { type, attributes, ...(relationships ? { relationships } : {}) } };
}

/** A document that changes a record. */
export function changeDocument(type: string, id: string, rest: object): object {
  return { data: { type, id, ...rest } };
}

/** The whole resource object of a legal entity on JSON:API. */
export function legalEntityObject(id: string, name: string): object {
  return { type: 'legal-entity', id, attributes: { name }, relationships: {} };
}

export interface AccountAttributes {
  readonly name: string;
  readonly externalIdentifier: string | null;
  readonly ccyCode: string;
  readonly excludeFromReporting: boolean;
}

/** The whole resource object of an account on JSON:API. */
export function accountObject(
  id: string,
  attributes: AccountAttributes,
  { legalEntity, depositories = [] }: { legalEntity: string; depositories?: readonly string[] },
): object {
  return {
    type: 'account',
    id,
    attributes,
    relationships: {
      legalEntity: toOne('legal-entity', legalEntity),
      depositories: toMany('depository', depositories),
    },
  };
}

/** The whole resource object of a depository on JSON:API. */
export function depositoryObject(
  id: string,
  attributes: { readonly name: string; readonly externalIdentifier: string | null },
  accounts: readonly string[] = [],
): object {
  return { type: 'depository', id, attributes, relationships: { accounts: toMany('account', accounts) } };
}

/** The whole resource object of a reporting entity on JSON:API. */
export function reportingEntityObject(
  id: string,
  name: string,
  { client, portfolios = [] }: { client: string; portfolios?: readonly string[] },
): object {
  return {
    type: 'reporting-entity',
    id,
    attributes: { name },
    relationships: { client: toOne('client', client), portfolios: toMany('portfolio', portfolios) },
  };
}

interface PortfolioMembers {
  readonly reportingEntity: string;
  readonly accounts?: readonly string[];
  readonly depositories?: readonly string[];
}

/** The whole resource object of a portfolio on JSON:API. */
export function portfolioObject(
  id: string,
  name: string,
  { reportingEntity, accounts = [], depositories = [] }: PortfolioMembers,
): object {
  return {
    type: 'portfolio',
    id,
    attributes: { name },
    relationships: {
      reportingEntity: toOne('reporting-entity', reportingEntity),
      accounts: toMany('account', accounts),
      depositories: toMany('depository', depositories),
    },
  };
}

/** Lists the faults of a refusal with their pointers, on any wire. */
export function faultsOf({ status, body }: Reply): ReportedRefusal[] {
  return body.errors.map(({ code, detail, pointer, source }: Record<string, any>) => ({
    status,
    code,
    detail,
    pointer: pointer ?? source?.pointer,
  }));
}

/** The fault of an unknown field with this name. */
export function unknownField(
  word: 'attribute' | 'relationship' | 'field',
  name: string,
  pointer: string,
): ReportedRefusal {
  const detail = `There is no ${word} "${name}" that can be set here.`;
  return { status: 422, code: 'unknown-attribute', detail, pointer };
}

/** The faults of immutable fields that were sent with other values. */
export function immutableFaults(...pointers: readonly string[]): ReportedRefusal[] {
  const detail = 'This field cannot be changed after creation.';
  return pointers.map((pointer) => ({ status: 422, code: 'immutable-attribute', detail, pointer }));
}

/** The faults of missing required fields. */
export function missingFaults(...pointers: readonly string[]): ReportedRefusal[] {
  const sentence = (pointer: string): string => `${pointer.split('/').at(-1)} is required.`;
  return pointers.map((pointer) => ({ status: 422, code: 'missing-attribute', detail: sentence(pointer), pointer }));
}

/** Creates a record on v1 and returns its id. */
export async function makeRecord(caller: Caller, plural: string, fields: object): Promise<string> {
  const { status, body, text } = await caller.post(`/v1/${plural}`, fields);
  if (status !== 201) throw new Error(`Nothing made of ${plural}: ${status} ${text}`);
  return body.id;
}

/** Creates several records one after the other and returns their ids, oldest first. */
export async function makeRecords(caller: Caller, plural: string, fields: readonly object[]): Promise<string[]> {
  const ids: string[] = [];
  for (const each of fields) ids.push(await makeRecord(caller, plural, each));
  return ids;
}

export interface Household {
  readonly client: string;
  readonly legalEntity: string;
  readonly reportingEntity: string;
}

/** Creates a client with a legal entity that can own records and a reporting entity that can include them. */
export async function makeHousehold(caller: Caller, name = 'Amsel'): Promise<Household> {
  const client = await caller.makeClient(name);
  const legalEntity = await makeRecord(caller, 'legal-entities', { name: `${name} Holding`, client_id: client });
  const reportingEntity = await makeRecord(caller, 'reporting-entities', {
    name: `${name} consolidated`,
    client_id: client,
  });
  return { client, legalEntity, reportingEntity };
}

export function makeAccounts(caller: Caller, { legalEntity }: Household, count: number): Promise<string[]> {
  const fields = { entity_id: legalEntity, currency: 'CHF' };
  return makeRecords(
    caller,
    'accounts',
    Array.from({ length: count }, () => fields),
  );
}

export function makeDepositories(caller: Caller, { legalEntity }: Household, count: number): Promise<string[]> {
  const fields = { legal_entity_id: legalEntity };
  return makeRecords(
    caller,
    'depositories',
    Array.from({ length: count }, () => fields),
  );
}

/** One end of a relation: the record type and the name of its link set. */
export interface LinkEnd {
  readonly type: 'account' | 'depository' | 'portfolio';
  readonly plural: string;
  readonly field: 'accounts' | 'depositories';
  readonly to: 'account' | 'depository';
  readonly v1Field: 'account_ids' | 'depository_ids';
}

const toAccounts = { field: 'accounts', to: 'account', v1Field: 'account_ids' } as const;
const toDepositories = { field: 'depositories', to: 'depository', v1Field: 'depository_ids' } as const;
export const depositoriesOfAccount: LinkEnd = { type: 'account', plural: 'accounts', ...toDepositories };
export const accountsOfDepository: LinkEnd = { type: 'depository', plural: 'depositories', ...toAccounts };
export const accountsOfPortfolio: LinkEnd = { type: 'portfolio', plural: 'portfolios', ...toAccounts };
export const depositoriesOfPortfolio: LinkEnd = { type: 'portfolio', plural: 'portfolios', ...toDepositories };

export type WritingWire = 'JSON:API' | 'v1';

/** A request that creates the owner of a link set in a household, with the links if given. */
export function creationRequest(
  wire: WritingWire,
  { type, field, to, v1Field, plural }: LinkEnd,
  { household, ids }: { household: Household; ids: readonly string[] | undefined },
): [path: string, body: object] {
  const isView = type === 'portfolio';
  const owner = isView ? household.reportingEntity : household.legalEntity;
  if (wire === 'v1') {
    const owners = { account: 'entity_id', depository: 'legal_entity_id', portfolio: 'reporting_entity_id' };
    const fields = { [owners[type]]: owner, ...(type === 'account' ? { currency: 'CHF' } : {}) };
    return [`/v1/${plural}`, { ...fields, ...(ids && { [v1Field]: ids }) }];
  }
  const relationships = ids && { [field]: toMany(to, ids) };
  const document = newDocument(type, type === 'account' ? { ccyCode: 'CHF' } : {}, relationships);
  return [`/api/v2/${isView ? 'reporting-entities' : 'legal-entities'}/${owner}/${plural}`, document];
}

/** A request that replaces the link set of one record. */
export function replacementRequest(
  wire: WritingWire,
  { type, plural, field, to, v1Field }: LinkEnd,
  { id, ids }: { id: string; ids: readonly string[] },
): [path: string, body: object] {
  if (wire === 'v1') return [`/v1/${plural}/${id}`, { [v1Field]: ids }];
  const change = changeDocument(type, id, { relationships: { [field]: toMany(to, ids) } });
  return [`/api/v2/${plural}/${id}`, change];
}

/** Reads the link set from an answer; identifiers of an unexpected type are marked. */
export function readLinkSet(wire: WritingWire, { field, to, v1Field }: LinkEnd, { body }: Reply): string[] {
  if (wire === 'v1') return body[v1Field];
  const { data } = body.data.relationships[field] as { data: Identifier[] };
  return data.map(({ type, id }) => (type === to ? id : `${type} ${id}`));
}

/** The pointer to a link set, or to one link of it, in a body. */
export function linkSetPointer(wire: WritingWire, { field, v1Field }: LinkEnd, item?: number): string {
  const at = item === undefined ? '' : `/${item}`;
  if (wire === 'v1') return `/${v1Field}${at}`;
  return `/data/relationships/${field}${item === undefined ? '' : '/data'}${at}`;
}

export interface LockHold {
  /** A statement that locks rows which the requests need, so that none of them can finish. */
  readonly lock: string;
  /** How many of the requests must be waiting before the lock is released. */
  readonly waiting: number;
  /** Further statements to run before that, in the transaction that holds the lock. */
  readonly extraStatements?: readonly string[];
}

/** Sends requests that wait for a lock held in the database, then releases them all at once. */
export async function sendBehindLock(
  { database, lock, waiting, extraStatements = [] }: LockHold & { database: TestDatabase },
  requests: readonly (() => Promise<Reply>)[],
): Promise<Reply[]> {
  const holder = await LockHolder.open(database);
  await holder.query(lock);
  const sent = requests.map((send) => send());
  await awaitLockWaits(database, waiting);
  for (const statement of extraStatements) await holder.query(statement);
  await holder.release();
  return Promise.all(sent);
}
