// The rules of accounts: their default name, how an institution becomes a custodian, and what holds while an authority covers them.

import type { AnyChange, ChangeOf } from '../../kit/resource.ts';
import type { Id } from '../../kit/id.ts';
import { Refusal, refusalForFaults } from '../../kit/refusal.ts';
import { account, type Account } from '../../model/structure/account.ts';
import { getOrCreateCustodian } from '../custody/custodian.ts';
import { ownedRules } from '../core/owned-resource.ts';
import type { WriteRules } from '../core/resource.ts';
import { emitAccount, emitNewAccount } from '../events/event.ts';
import type { Work } from '../core/work.ts';

type AccountInput = ChangeOf<typeof account>;

function refuseTwoCustodians(named: Id | null | undefined, custodian: Id | null): void {
  if (named === undefined || named === custodian) return;
  const detail = 'institution and custodian_id name two different custodians. Send only one of them.';
  throw refusalForFaults('invalid-document', [{ code: 'invalid-attribute', detail, field: 'institution' }]);
}

/** Resolves an institution, which is the id or the name of a custodian, to the custodian. */
async function resolveInstitution(work: Work, input: AccountInput): Promise<AccountInput> {
  const { institution, ...others } = input;
  if (institution === undefined) return input;
  const custodian = institution === null ? null : (await getOrCreateCustodian(work, institution)).id;
  refuseTwoCustodians(others.custodian, custodian);
  return { ...others, custodian };
}

const ownRules = ownedRules(account, {
  defaults: ({ externalIdentifier, ccyCode }) => ({
    name: externalIdentifier ?? ccyCode,
    excludeFromReporting: false,
  }),
});

/** The custodian is found and locked together with what else the account refers to, in one trip to the database. */
async function createFields(work: Work, input: AccountInput, id: Id): Promise<AnyChange> {
  const { institution, ...others } = input;
  const [custodian, fields] = await Promise.all([
    institution == null ? null : getOrCreateCustodian(work, institution),
    ownRules.create(work, others, id),
  ]);
  if (institution === undefined) return fields;
  const custodianId = custodian?.id ?? null;
  refuseTwoCustodians(others.custodian, custodianId);
  return { ...fields, custodian: custodianId, institution: custodian?.name ?? null };
}

/** An account that an authority covers keeps its custodian, which feeds it. */
async function refuseOtherCustodian(work: Work, { id }: Account): Promise<void> {
  if (!(await isCovered(work, id))) return;
  const code = 'different-custodian';
  const detail =
    "An authority for its custodian covers the account. Unlink it there before you change the account's custodian.";
  throw new Refusal(code, detail, { faults: [{ code, detail, field: 'custodian' }] });
}

async function isCovered(work: Work, id: Id): Promise<boolean> {
  return (await work.store.custody.links.list('account', [id])).length > 0;
}

export const accountRules: WriteRules<typeof account> = {
  ...ownRules,
  /** A new account at a custodian is linked to its legal entity from the start. */
  async afterCreate(work, record) {
    if (record.custodian !== null) await emitNewAccount(work, record);
  },
  refusals: [...ownRules.refusals, 'different-custodian', 'outside-reach'],
  prepare: async (work, input, purpose) => (purpose === 'to-create' ? input : resolveInstitution(work, input)),
  create: createFields,
  async change(work, present, input) {
    if (input.custodian !== undefined) await refuseOtherCustodian(work, present);
    return ownRules.change(work, present, input);
  },
  async beforeDelete(work, { id }) {
    if (await isCovered(work, id)) await emitAccount(work, 'account.disconnected', id);
    work.store.custody.statedHoldings.closeAccount(id, work.now);
    work.store.statedEntries.deleteOfAccount(id);
  },
};
