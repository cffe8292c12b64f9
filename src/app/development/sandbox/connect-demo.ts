// Connects the demo family to the banks of the sandbox, so that the demo is never older than yesterday, and to its receiver. Runs at every start: what is connected
// stays so, what broke because the sandbox forgot its consents is connected again, and what somebody revoked is left alone.

import type { Id } from '../../../kit/id.ts';
import { authFlow } from '../../../model/custody/auth-flow.ts';
import { authority, connectionOf } from '../../../model/custody/authority.ts';
import { openStates } from '../../../model/custody/authority-state.ts';
import { identifierMapping } from '../../../model/custody/identifier-mapping.ts';
import { instrument } from '../../../model/instrument/instrument.ts';
import { account } from '../../../model/structure/account.ts';
import { custodian } from '../../../model/structure/custodian.ts';
import { depository } from '../../../model/structure/depository.ts';
import { legalEntity } from '../../../model/structure/legal-entity.ts';
import { demoTenant } from '../../../actions/access/bootstrap.ts';
import type { AppContext } from '../../../actions/core/context.ts';
import { changeRecord, createRecord } from '../../../actions/core/resource.ts';
import { runInTransaction, serviceAuthor, type Work } from '../../../actions/core/work.ts';
import { reconnectAuthority } from '../../../actions/custody/auth-flow.ts';
import { getCustodianSettings } from '../../../actions/custody/custodian-settings.ts';
import { demoInstruments } from '../../../actions/demo/demo-market.ts';
import { identifierMappingRules } from '../../../actions/imports/names/identifier-mapping.ts';
import { accountRules } from '../../../actions/structure/account.ts';
import { depositoryRules } from '../../../actions/structure/entities.ts';
import { connectWebhook } from './connect-webhook.ts';
import { connectDepository, consentTo, useSandboxBank } from './connect-bank.ts';
import { sandboxBanks, type SandboxBank, type SandboxCustomer } from './sandbox-banks.ts';
import { custodianCode } from './sandbox-items.ts';
import { listedNames } from './sandbox-market.ts';

/** Longer than anybody looks at the demo. */
const consentDays = 3_650;
/** More than the demo has of anything that is listed here. */
const listMax = 100;

/** Returns how many depositories were connected now. Does nothing where there is no demo. */
export async function connectDemo(context: AppContext, origin: string): Promise<number> {
  const environments = await context.stores.preAuth.listEnvironments();
  if (!environments.some(({ workspaceId }) => workspaceId === demoTenant.workspaceId)) return 0;
  let connectedCount = 0;
  for (const bank of sandboxBanks()) {
    const hasMoved = await runInTransaction(context, serviceAuthor(demoTenant), (work) =>
      moveBank(work, { origin, bank }),
    );
    for (const customer of bank.customers)
      if (await connectCustomer(context, { origin, bank, customer, hasMoved })) connectedCount++;
  }
  await runInTransaction(context, serviceAuthor(demoTenant), (work) => connectWebhook(work, origin));
  return connectedCount;
}

/** Says it where the demo cannot be connected: the service does without its banks. */
export async function connectDemoIfPossible(
  context: AppContext,
  origin: string,
  output: { write(text: string): unknown },
): Promise<void> {
  await connectDemo(context, origin).catch(
    (error: unknown) => void output.write(`The demo could not be connected to its banks: ${String(error)}\n`),
  );
}

interface DemoBank {
  readonly origin: string;
  readonly bank: SandboxBank;
}

interface DemoCustomer extends DemoBank {
  readonly customer: SandboxCustomer;
  /** Consent was given for the former address of the bank only, and is given once more. */
  readonly hasMoved: boolean;
}

/** Gives a bank that is connected its present address. Returns whether it had another one. */
async function moveBank(work: Work, { origin, bank }: DemoBank): Promise<boolean> {
  const [keptBy] = await work.store.table(custodian).list({ where: { name: bank.name }, limit: 1 });
  if (keptBy === undefined) return false;
  const { apiUrl } = await getCustodianSettings(work, keptBy.id);
  const address = `${origin}/${bank.key}`;
  if (apiUrl === null || apiUrl === address) return false;
  await useSandboxBank(work, keptBy.id, address);
  return true;
}

async function connectCustomer(context: AppContext, wanted: DemoCustomer): Promise<boolean> {
  const { origin, bank, customer } = wanted;
  const prepared = await runInTransaction(context, serviceAuthor(demoTenant), (work) => prepare(work, wanted));
  if (prepared === undefined) return false;
  const { custodian: keptBy, flow } = prepared;
  const connection = {
    tenant: demoTenant,
    origin,
    bank: bank.key,
    customer: customer.key,
    custodian: keptBy,
    consentDays,
  };
  const outcome =
    flow === undefined
      ? await connectDepository(context, { ...connection, depository: prepared.depository })
      : await consentTo(context, connection, flow);
  return outcome.kind === 'granted';
}

interface Prepared {
  readonly custodian: Id;
  readonly depository: Id;
  /** The auth flow to consent to; a new one if there is none. */
  readonly flow: Id | undefined;
}

/** Gives everything the names by which the bank knows it. Undefined where nothing is left to do, or the demo was changed too much. */
async function prepare(work: Work, { origin, bank, customer, hasMoved }: DemoCustomer): Promise<Prepared | undefined> {
  const { store } = work;
  const [keptBy] = await store.table(custodian).list({ where: { name: bank.name }, limit: 1 });
  const [owner] = await store.table(legalEntity).list({ where: { name: customer.name }, limit: 1 });
  if (keptBy === undefined || owner === undefined) return undefined;
  const numbered = await nameAccounts(work, owner.id, { keptBy: keptBy.id, customer });
  if (numbered === undefined) return undefined;
  const [keptIn] = await store.table(depository).list({ where: { accounts: numbered }, limit: 1 });
  if (keptIn === undefined) return undefined;
  const { depositoryNumber: externalIdentifier } = customer;
  if (keptIn.externalIdentifier === null) await changeRecord(work, depositoryRules, keptIn.id, { externalIdentifier });
  await nameInstruments(work, keptBy.id);
  const { apiUrl } = await getCustodianSettings(work, keptBy.id);
  if (apiUrl === null) await useSandboxBank(work, keptBy.id, `${origin}/${bank.key}`);
  const step = await nextStep(work, keptIn.id, { hasMoved });
  return step === 'none' ? undefined : { custodian: keptBy.id, depository: keptIn.id, flow: step };
}

/** Returns one of the accounts that the bank knows, if there is any. */
async function nameAccounts(
  work: Work,
  owner: Id,
  { keptBy, customer }: { readonly keptBy: Id; readonly customer: SandboxCustomer },
): Promise<Id | undefined> {
  const where = { legalEntity: owner, custodian: keptBy };
  let known: Id | undefined;
  for (const { id, name, ccyCode, externalIdentifier } of await work.store
    .table(account)
    .list({ where, limit: listMax })) {
    const found = customer.accounts.find((one) => one.name === name && one.currency === ccyCode);
    if (found === undefined) continue;
    known ??= id;
    if (externalIdentifier === null) await changeRecord(work, accountRules, id, { externalIdentifier: found.number });
  }
  return known;
}

/** The bank's own codes of the instruments, which have no public ones. */
async function nameInstruments(work: Work, keptBy: Id): Promise<void> {
  const known = await work.store.table(identifierMapping).list({ where: { custodian: keptBy }, limit: listMax });
  const values = new Set(known.map(({ value }) => value));
  for (const listed of listedNames) {
    const value = custodianCode(listed);
    const [found] = await work.store
      .table(instrument)
      .list({ where: { name: demoInstruments[listed].name }, limit: 1 });
    if (values.has(value) || found === undefined) continue;
    const mapping = {
      kind: 'instrument',
      scheme: 'custodian-code',
      value,
      custodian: keptBy,
      instrument: found.id,
    } as const;
    await createRecord(work, identifierMappingRules, mapping);
  }
}

/** The flow to consent to; undefined for a new one; `none` if it is connected, or was revoked. */
async function nextStep(
  work: Work,
  keptIn: Id,
  { hasMoved }: { readonly hasMoved: boolean },
): Promise<Id | undefined | 'none'> {
  const { store, now } = work;
  const given = await store.table(authority).list({ where: { depository: keptIn }, limit: listMax });
  if (given.length === 0) return undefined;
  const toRenew = hasMoved ? ['connected', 'broken', 'expired'] : ['broken', 'expired'];
  const broken = given.find((one) => toRenew.includes(connectionOf(one, now)));
  if (broken !== undefined) return (await reconnectAuthority(work, broken.id)).id;
  const open = given.find(({ state }) => openStates.some((one) => one === state));
  if (open === undefined) return 'none';
  const [flow] = await store.table(authFlow).list({ where: { authority: open.id }, limit: 1 });
  return flow?.id ?? 'none';
}
