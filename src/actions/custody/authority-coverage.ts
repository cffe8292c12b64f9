// What an authority covers: accounts and depositories are linked and unlinked, and receivers of events learn which accounts are
// connected. Callers have locked the authority.

import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { RecordOf } from '../../kit/resource.ts';
import type { Authority } from '../../model/custody/authority.ts';
import { account, type Account } from '../../model/structure/account.ts';
import { depository } from '../../model/structure/depository.ts';
import type { RefusalCode } from '../../model/refusals/refusals.ts';
import type { CoveredType } from '../../store/custody/authority-links.ts';
import { emitAccount } from '../events/event.ts';
import { changeRecord, notFound } from '../core/resource.ts';
import type { Work } from '../core/work.ts';
import { accountRules } from '../structure/account.ts';

/** What is to be covered, or no longer. */
export interface Coverage {
  readonly accounts?: readonly Id[];
  readonly depositories?: readonly Id[];
}

export const coverageRefusals = [
  'account-not-found',
  'depository-not-found',
  'different-legal-entity',
  'different-custodian',
  'already-linked',
] as const satisfies readonly RefusalCode[];

/** More accounts than one custodian keeps for one legal entity. */
const coveredMax = 10_000;

function refuseAt(code: RefusalCode, detail: string, field: string, item: number): Refusal {
  return new Refusal(code, detail, { faults: [{ code, detail, field, item }] });
}

/** Refuses what does not exist, belongs to another legal entity, or is covered by another authority. Returns what is not covered yet. */
async function listUncovered<R extends typeof account | typeof depository>(
  work: Work,
  authority: Authority,
  { resource, field }: { readonly resource: R; readonly field: keyof Coverage },
  ids: readonly Id[],
): Promise<readonly RecordOf<R>[]> {
  const { type } = resource;
  const records = await work.store.table(resource).lockReferencedRecords(ids);
  const links = await work.store.custody.links.list(type, ids);
  for (const [item, id] of ids.entries()) {
    const record = records.find((one) => one.id === id);
    if (record === undefined) throw notFound(resource, { field, item });
    if (record['legalEntity'] !== authority.legalEntity) {
      const detail = `The ${type} belongs to another legal entity than the authority.`;
      throw refuseAt('different-legal-entity', detail, field, item);
    }
    const other = links.find(({ covered, authority: by }) => covered === id && by !== authority.id);
    if (other !== undefined) {
      const detail = `The ${type} is covered by the authority ${other.authority}. Unlink it there first.`;
      throw refuseAt('already-linked', detail, field, item);
    }
  }
  const covered = new Set(links.map((link) => link.covered));
  return records.filter(({ id }) => !covered.has(id));
}

/** An account that names no custodian is kept by that of its authority from now on. */
async function useCustodian(work: Work, { custodian }: Authority, record: Account, item: number): Promise<void> {
  if (record.custodian === custodian) return;
  if (record.custodian !== null) {
    const detail = 'The account is kept by another custodian than that of the authority.';
    throw refuseAt('different-custodian', detail, 'accounts', item);
  }
  await changeRecord(work, accountRules, record.id, { custodian });
}

/** Links what is not linked yet, and reports each account as connected, but for those that were reported when they were created. */
export async function linkCoverage(
  work: Work,
  authority: Authority,
  coverage: Coverage,
  reported: ReadonlySet<Id> = new Set(),
): Promise<void> {
  const { accounts = [], depositories = [] } = coverage;
  const newAccounts = await listUncovered(work, authority, { resource: account, field: 'accounts' }, accounts);
  const kept = { resource: depository, field: 'depositories' } as const;
  const newDepositories = await listUncovered(work, authority, kept, depositories);
  for (const record of newAccounts) await useCustodian(work, authority, record, accounts.indexOf(record.id));
  const { links } = work.store.custody;
  const idsOf = (records: readonly { readonly id: Id }[]): Id[] => records.map(({ id }) => id);
  if (newAccounts.length > 0) links.add('account', authority, idsOf(newAccounts));
  if (newDepositories.length > 0) links.add('depository', authority, idsOf(newDepositories));
  const unreported = idsOf(newAccounts).filter((id) => !reported.has(id));
  if (authority.brokenAt === null) await emitAll(work, 'account.connected', unreported);
}

/** Unlinks what is linked, and reports each account as disconnected, unless it was before. */
export async function unlinkCoverage(work: Work, authority: Authority, coverage: Coverage): Promise<void> {
  const { links } = work.store.custody;
  const linked = async (type: CoveredType, ids: readonly Id[] = []): Promise<readonly Id[]> => {
    const covered = new Set(await links.listCovered(type, authority.id));
    return ids.filter((id) => covered.has(id));
  };
  const accounts = await linked('account', coverage.accounts);
  const depositories = await linked('depository', coverage.depositories);
  if (accounts.length > 0) links.remove('account', authority.id, accounts);
  if (depositories.length > 0) links.remove('depository', authority.id, depositories);
  if (authority.brokenAt === null) await emitAll(work, 'account.disconnected', accounts);
}

export async function unlinkAll(work: Work, authority: Authority): Promise<void> {
  const { links } = work.store.custody;
  const [accounts, depositories] = await Promise.all([
    links.listCovered('account', authority.id),
    links.listCovered('depository', authority.id),
  ]);
  await unlinkCoverage(work, authority, { accounts, depositories });
}

/** Reports that all accounts of an authority are connected, or no longer. */
export async function reportConnection(
  work: Work,
  authority: Authority,
  type: 'account.connected' | 'account.disconnected',
): Promise<void> {
  await emitAll(work, type, await work.store.custody.links.listCovered('account', authority.id));
}

async function emitAll(
  work: Work,
  type: 'account.connected' | 'account.disconnected',
  accounts: readonly Id[],
): Promise<void> {
  for (const id of accounts) await emitAccount(work, type, id);
}

/** What a new authority covers unless its grant says so. Leaves out what another authority covers. */
export async function usualCoverage(work: Work, authority: Authority): Promise<Coverage> {
  const { store } = work;
  const { depository: only, legalEntity, custodian } = authority;
  const where = only === null ? { legalEntity, custodian } : { legalEntity, depositories: only };
  const accounts = (await store.table(account).list({ where, limit: coveredMax }))
    .filter((one) => one.custodian === null || one.custodian === custodian)
    .map(({ id }) => id);
  const depositories = only === null ? [] : [only];
  const uncovered = async (type: CoveredType, ids: readonly Id[]): Promise<readonly Id[]> => {
    const covered = new Set((await store.custody.links.list(type, ids)).map((link) => link.covered));
    return ids.filter((id) => !covered.has(id));
  };
  return { accounts: await uncovered('account', accounts), depositories: await uncovered('depository', depositories) };
}
