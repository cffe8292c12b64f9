// The rules of accounts: their default name, and how an institution becomes a custodian.

import type { ChangeOf } from '../../kit/resource.ts';
import { refusalForFaults } from '../../kit/refusal.ts';
import { account } from '../../model/structure/account.ts';
import { getOrCreateCustodian } from '../custody/custodian.ts';
import { ownedRules } from '../core/owned-resource.ts';
import type { WriteRules } from '../core/resource.ts';
import type { Work } from '../core/work.ts';

/** Resolves an institution, which is the id or the name of a custodian, to the custodian. */
async function resolveInstitution(work: Work, input: ChangeOf<typeof account>): Promise<ChangeOf<typeof account>> {
  const { institution, ...others } = input;
  if (institution === undefined) return input;
  const custodian = institution === null ? null : await getOrCreateCustodian(work, institution);
  if (others.custodian !== undefined && others.custodian !== custodian) {
    const detail = 'institution and custodian_id name two different custodians. Send only one of them.';
    throw refusalForFaults('invalid-document', [{ code: 'invalid-attribute', detail, field: 'institution' }]);
  }
  return { ...others, custodian };
}

export const accountRules: WriteRules<typeof account> = {
  ...ownedRules(account, {
    defaults: ({ externalIdentifier, ccyCode }) => ({
      name: externalIdentifier ?? ccyCode,
      excludeFromReporting: false,
    }),
    prepare: resolveInstitution,
  }),
  beforeDelete: (work, { id }) => work.store.statedHoldings.closeAccount(id, work.now),
};
