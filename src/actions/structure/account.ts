// What may happen to an account: what it is called without a name, and how its institution becomes a custodian.

import type { ChangeOf } from '../../kit/resource.ts';
import { refuseFaults } from '../../kit/refusal.ts';
import { account } from '../../model/structure/account.ts';
import { getInstitution } from '../custody/custodian.ts';
import { ownedRules } from '../core/owned-resource.ts';
import type { Work } from '../core/work.ts';

/** An institution is sent as the id or the name of a custodian; stored is the custodian. */
async function settleInstitution(work: Work, asked: ChangeOf<typeof account>): Promise<ChangeOf<typeof account>> {
  const { institution, ...others } = asked;
  if (institution === undefined) return asked;
  const custodian = institution === null ? null : await getInstitution(work, institution);
  if (others.custodian !== undefined && others.custodian !== custodian) {
    const detail = 'institution and custodian_id name two different custodians.';
    throw refuseFaults('invalid-document', [{ code: 'invalid-attribute', detail, field: 'institution' }]);
  }
  return { ...others, custodian };
}

export const accountRules = ownedRules(account, {
  fill: ({ externalIdentifier, ccyCode }) => ({
    name: externalIdentifier ?? ccyCode,
    excludeFromReporting: false,
  }),
  prepare: settleInstitution,
});
