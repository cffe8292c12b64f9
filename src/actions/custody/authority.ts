// What can happen to an authority that was granted: it covers more or less, breaks, works again, and is revoked.

import type { Id } from '../../kit/id.ts';
import type { AnyChange, RecordOf } from '../../kit/resource.ts';
import { authFlow, type AuthFlow } from '../../model/custody/auth-flow.ts';
import { authority, connectionOf, type Authority } from '../../model/custody/authority.ts';
import { nextState, openStates, type AuthorityAction } from '../../model/custody/authority-state.ts';
import { auditRecord, getRecord, notFound, type Rules } from '../core/resource.ts';
import { snapshot } from '../core/snapshot.ts';
import { audit, type Work } from '../core/work.ts';
import { linkCoverage, reportConnection, unlinkAll, unlinkCoverage, type Coverage } from './authority-coverage.ts';

export const authorityRules: Rules<typeof authority> = {
  resource: authority,
  show: async ({ now }, records) => records.map((one) => ({ ...one, connection: connectionOf(one, now) })),
};

export async function lockAuthority(work: Work, id: string): Promise<Authority> {
  const found = await work.store.table(authority).lock(id, 'to-change');
  if (found === undefined) throw notFound(authority);
  return found;
}

/** Stores a change of an authority with its audit line. */
export async function changeAuthority(work: Work, before: Authority, fields: AnyChange): Promise<Authority> {
  const after = await work.store.table(authority).update(before.id, fields);
  auditRecord(work, authorityRules, 'change', { before, after });
  return after;
}

function checkAction({ state }: Authority, action: AuthorityAction): Authority['state'] {
  return nextState('authority', state, action);
}

/** Shows the authority as it is now, with what it covers. */
async function show(work: Work, { id }: Authority): Promise<RecordOf<typeof authority>> {
  return getRecord(work, authorityRules, id);
}

export async function linkToAuthority(work: Work, id: string, coverage: Coverage): Promise<Authority> {
  const present = await lockAuthority(work, id);
  checkAction(present, 'link');
  await linkCoverage(work, present, coverage);
  auditCoverage(work, present, 'linked', coverage);
  return show(work, present);
}

export async function unlinkFromAuthority(work: Work, id: string, coverage: Coverage): Promise<Authority> {
  const present = await lockAuthority(work, id);
  checkAction(present, 'unlink');
  await unlinkCoverage(work, present, coverage);
  auditCoverage(work, present, 'unlinked', coverage);
  return show(work, present);
}

export function auditCoverage(work: Work, present: Authority, act: 'linked' | 'unlinked', coverage: Coverage): void {
  const { accounts = [], depositories = [] } = coverage;
  const [before, changed] = [snapshot(authority, present), { account_ids: accounts, depository_ids: depositories }];
  const { id, client: clientId } = present;
  audit(work, { act: 'change', type: authority.type, id, clientId, before, after: { ...before, [act]: changed } });
}

/** Ends the use of an authority at once. The custodian still has to confirm, and flows that would renew it are cancelled. */
export async function revokeAuthority(work: Work, id: string): Promise<Authority> {
  const present = await lockAuthority(work, id);
  const state = checkAction(present, 'revoke');
  await cancelRenewals(work, present.id);
  await unlinkAll(work, present);
  work.store.custody.flows.followAuthority(present.id, state);
  const changed = await changeAuthority(work, present, { state, revokedAt: new Date(work.now) });
  return show(work, changed);
}

/** How many are read at a time: nothing bounds how many are begun. */
const renewalsAtATime = 100;

async function cancelRenewals(work: Work, authorityId: Id): Promise<void> {
  const flows = work.store.table(authFlow);
  const fields = { state: 'cancelled', cancelledAt: new Date(work.now), pending_sealed: null, pending_until: null };
  for (const state of openStates) {
    let listed: readonly AuthFlow[];
    do {
      listed = await flows.list({ where: { authority: authorityId, state }, limit: renewalsAtATime });
      for (const before of listed) {
        const after = await flows.update(before.id, fields);
        auditRecord(work, { resource: authFlow }, 'change', { before, after });
      }
    } while (listed.length === renewalsAtATime);
  }
}

/** The custodian has confirmed, or was told otherwise: the credentials are forgotten. */
export async function confirmRevocation(work: Work, id: string): Promise<Authority> {
  const present = await lockAuthority(work, id);
  const state = checkAction(present, 'confirm-revocation');
  work.store.custody.flows.followAuthority(present.id, state);
  return show(work, await changeAuthority(work, present, { state, credentials_sealed: null }));
}

/** How much is kept of what a custodian says. */
const reasonLengthMax = 500;

/** The custodian no longer accepts the credentials, or the consent has ended. Does nothing if that is known. */
export async function breakConnection(work: Work, id: string, reason: string): Promise<void> {
  const present = await lockAuthority(work, id);
  if (present.state !== 'active' || present.brokenAt !== null) return;
  const brokenReason = [...reason].slice(0, reasonLengthMax).join('');
  await changeAuthority(work, present, { brokenAt: new Date(work.now), brokenReason });
  await reportConnection(work, present, 'account.disconnected');
}

/** The custodian accepts the credentials again. */
export async function restoreConnection(work: Work, id: string): Promise<void> {
  const present = await lockAuthority(work, id);
  if (connectionOf(present, work.now) !== 'broken') return;
  await changeAuthority(work, present, { brokenAt: null, brokenReason: null });
  await reportConnection(work, present, 'account.connected');
}
