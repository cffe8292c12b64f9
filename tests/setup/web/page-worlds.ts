// What the pages of the table show: for each group the records that its addresses name, and who looks at them.

import { beforeAll, vi } from 'vitest';
import { runInTransaction, serviceAuthor } from '../../../src/actions/core/work.ts';
import { defined } from '../../../src/kit/assert.ts';
import { createDeliveries, deliverAllDue, webhookAnswer } from '../events/deliveries.ts';
import type { Caller } from '../http/caller.ts';
import { ExampleWorld } from '../http/example-world.ts';
import type { TestService } from '../node/test-service.ts';
import { inviteSecretOf, makeInvite, makeUser } from '../people/members.ts';
import { inSandbox, insertAdministrator, insertPerson, signIn, type SignedInCaller } from '../people/person-caller.ts';
import { ReferenceClient } from '../reference-portfolio/reference-client.ts';
import { readReferencePortfolio } from '../reference-portfolio/reference-portfolio.ts';
import { makeReportHousehold } from '../reports/report-household.ts';
import { CamtText } from '../statements/camt-text.ts';
import { makeRecord, unknownId } from '../structure/structure-document.ts';
import type { PageGroup, TablePage } from './page-table.ts';

type Ids = Readonly<Record<string, string>>;

interface PageWorld {
  readonly ids: Ids;
  /** Nobody is signed in without one. */
  readonly person?: SignedInCaller;
}

type MakeWorld = (service: TestService) => Promise<PageWorld>;

/** A family with holdings, a limit, and a booking that was corrected after `known-at`. */
async function makePortal(service: TestService): Promise<PageWorld> {
  const { admin, clock } = service;
  const household = await makeReportHousehold(admin);
  const { client, all, broken, bought } = household;
  const filter = { kind: 'condition', field: 'currency', operator: 'in', value: ['CHF', 'EUR'] };
  const limit = { client_id: client, name: 'Francs and euros', kind: 'proportional', filter };
  await admin.post('/v1/limits', { ...limit, min_pct: '0.05', max_pct: '0.15' });
  clock.advance(1_000);
  const knownAt = encodeURIComponent(new Date(clock.now()).toISOString());
  clock.advance(1_000);
  await admin.patch(`/v1/transactions/${bought}`, { quantity: '11', amount: '-770', comment: 'Corrected by the bank' });
  const memberships = [{ client, role: 'advisor' as const, grants: [all, broken] }];
  const person = await insertPerson(service, { name: ['Astrid', 'Amsel'], memberships });
  return { ids: { ...household, entity: all, 'known-at': knownAt }, person: await signIn(service, person) };
}

/** The portfolio whose figures are published. */
async function makeFigures(service: TestService): Promise<PageWorld> {
  const client = await ReferenceClient.book(service.admin, readReferencePortfolio().facts);
  const entity = client.id('all');
  const memberships = [{ client: client.id('client'), role: 'advisor' as const, grants: [entity] }];
  return { ids: { entity }, person: await signIn(service, await insertPerson(service, { memberships })) };
}

const consoles = new WeakMap<Caller, Promise<PageWorld>>();

/** Once for each service: its groups share it. */
function makeConsoleRecords(service: TestService): Promise<PageWorld> {
  const made = consoles.get(service.admin) ?? makeRecords(service);
  consoles.set(service.admin, made);
  return made;
}

/** One record of every type, some with long names, and an administrator. */
async function makeRecords(service: TestService): Promise<PageWorld> {
  const { admin } = service;
  const world = await ExampleWorld.create(admin);
  const client = world.idOf('client');
  await admin.patch(`/v1/clients/${client}`, { name: 'Lindqvist Vermögensverwaltungsgesellschaft' });
  const branch = await makeRecord(admin, 'clients', { name: 'Astrid', parent_id: client });
  const person = await signIn(service, await insertAdministrator(service));
  return { ids: { ...Object.fromEntries(world.entries()), branch, series: 'prices' }, person };
}

const longAddress = 'https://hooks.example.com/a/rather/long/address/without/any/space/in/it';

/** With a webhook that fails, and a request that was refused. */
async function makeDevelopers(service: TestService): Promise<PageWorld> {
  const { ids, person } = await makeConsoleRecords(service);
  const { admin, context } = service;
  const events = ['transaction.created', 'holding.valued'];
  const webhook = await makeRecord(admin, 'webhooks', { url: longAddress, events });
  const delivery: string = (await admin.post(`/v1/webhooks/${webhook}/test`, undefined)).body.id;
  const answer = webhookAnswer(503, { answer: '<html>Service unavailable, come back later</html>' });
  const worker = createDeliveries(context, async () => answer);
  await deliverAllDue(context, worker);
  await admin.patch(`/v1/webhooks/${webhook}`, { events: ['transaction.created'] });
  await admin.get('/v1/clients?odd=1');
  await vi.waitUntil(async () => (await admin.get('/v1/requests?outcome=refused')).body.data.length > 0, 60_000);
  return {
    ids: { ...ids, 'failing-webhook': webhook, 'failed-delivery': delivery },
    ...(person && { person }),
  };
}

/** Nobody has this number. */
const unknownAccount = '<Acct><Id><IBAN>CH5604835012345678009</IBAN></Id><Ccy>CHF</Ccy></Acct>';

/** A file that names no account, and instruments that nobody has. */
const unnamedFile = [
  'Datum;Auftrag #;Transaktionen;Symbol;Name;ISIN;Anzahl;Stückpreis;Kosten;Aufgelaufene Zinsen;Nettobetrag;Währung Nettobetrag',
  '15-01-2016;1;Einzahlung;;;;1.0;100000.00;0.00;0.00;100000.00;CHF',
  '18-01-2016;2;Kauf;ROG;Roche GS;CH0012032048;500.0;82.10;35.00;0.00;-41085.00;CHF',
  '31-13-2016;3;Kauf;ROG;Roche GS;CH0012032048;500.0;82.10;35.00;0.00;-41085.00;CHF',
  '',
].join('\n');

/** With imports whose account nobody knows, one whose trades wait, and one that is being booked. */
async function makeCustody(service: TestService): Promise<PageWorld> {
  const { ids, person } = await makeConsoleRecords(service);
  const client = defined(ids['client'], 'the world has a client');
  const camt = new CamtText({ version: 8 });
  const entries = [camt.entry({ reference: 'A-1' }), camt.entry({ reference: 'A-2' })];
  const file = camt.document([{ entries, account: unknownAccount }]);
  const send = async (query: string, raw: string): Promise<string> => {
    const headers = { 'content-type': 'text/plain' };
    return (await service.admin.send(`/v1/imports?${query}`, { method: 'POST', raw, headers })).body.id;
  };
  const waiting = await send(`client_id=${client}&file_name=march.xml`, file);
  const working = await send(`client_id=${client}&file_name=april.xml`, file);
  const unnamed = await send('file_name=broker.csv', unnamedFile);
  const account = defined(ids['account'], 'the world has an account');
  const trades = await send(`account_id=${account}&file_name=trades.csv`, unnamedFile);
  const { context, first, clock } = service;
  const rows = { act: 'book', fileName: 'april.xml', doneRows: 12_000, totalRows: 16_000 } as const;
  const times = { startedAt: clock.now(), reportedAt: clock.now() };
  await runInTransaction(context, serviceAuthor(first), ({ store }) =>
    store.importWorks.put({ importId: working, clientId: client, ...rows, ...times }),
  );
  const made = {
    'waiting-import': waiting,
    'working-import': working,
    'unnamed-import': unnamed,
    'trades-import': trades,
  };
  return { ids: { ...ids, ...made }, ...(person && { person }) };
}

/** A family that the sandbox has made, and an administrator there. */
async function makeSandbox(service: TestService): Promise<PageWorld> {
  const sandbox = await inSandbox(service);
  const person = await signIn(sandbox, await insertAdministrator(sandbox));
  const made = await person.post('/v1/sandbox/clients', { persona: 'foundation', years: 1, end_date: '2026-06-30' });
  return { ids: { family: made.body.id }, person };
}

async function makeVisitors(service: TestService): Promise<PageWorld> {
  const client = await makeRecord(service.admin, 'clients', { name: 'Amsel' });
  const invite = await makeInvite(service.admin, await makeUser(service.admin, client));
  const ids = { 'invite-secret': await inviteSecretOf(service, invite), 'unknown-secret': 'nobody-sent-it' };
  return { ids };
}

async function makeRefused(service: TestService): Promise<PageWorld> {
  const client = await makeRecord(service.admin, 'clients', { name: 'Amsel' });
  const person = await insertPerson(service, { memberships: [{ client, role: 'viewer' }] });
  return { ids: { unknown: unknownId }, person: await signIn(service, person) };
}

export const pageWorlds: Readonly<Record<PageGroup, MakeWorld>> = {
  portal: makePortal,
  'portal-figures': makeFigures,
  'console-records': makeConsoleRecords,
  'console-developers': makeDevelopers,
  'console-custody': makeCustody,
  'console-sandbox': makeSandbox,
  visitors: makeVisitors,
  'refused-people': makeRefused,
};

/** How a page of the group is opened. */
export interface OpenedPage {
  readonly address: string;
  readonly person?: SignedInCaller;
  readonly area: 'portal' | 'console';
  readonly status: number;
  readonly text?: string;
}

/** The records of a group, and how its pages are opened. */
export class GroupWorld {
  readonly #baseUrl: string;
  readonly #world: PageWorld;

  private constructor(baseUrl: string, world: PageWorld) {
    this.#baseUrl = baseUrl;
    this.#world = world;
  }

  static async make(service: TestService, make: MakeWorld): Promise<GroupWorld> {
    return new GroupWorld(service.addresses.baseUrl, await make(service));
  }

  get person(): SignedInCaller {
    return defined(this.#world.person, 'somebody is signed in');
  }

  /** The address of a path with names in braces. */
  at(path: string): string {
    const filled = path.replaceAll(/\{([\w-]+)\}/g, (_whole, name: string) =>
      defined(this.#world.ids[name], `the world has ${name}`),
    );
    return `${this.#baseUrl}${filled}`;
  }

  open({ path, status = 200, text }: TablePage): OpenedPage {
    const { person } = this.#world;
    return {
      address: this.at(path),
      area: path.startsWith('/console') ? 'console' : 'portal',
      status,
      ...(person === undefined ? {} : { person }),
      ...(text === undefined ? {} : { text }),
    };
  }
}

/** Makes the records of a group before the tests of a file. */
export function worldForThisFile(service: TestService, group: PageGroup): () => GroupWorld {
  let world: GroupWorld | undefined;
  beforeAll(async () => {
    world = await GroupWorld.make(service, pageWorlds[group]);
  });
  return () => defined(world, 'the world was made');
}
