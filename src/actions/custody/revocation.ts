// Withdraws consent at custodians: what was revoked here is revoked there, and then confirmed.

import type { Id } from '../../kit/id.ts';
import type { Tenant } from '../../model/access/scope.ts';
import { authority } from '../../model/custody/authority.ts';
import { ConnectorFailure } from '../../model/custody/connector.ts';
import type { AppContext } from '../core/context.ts';
import { openReadWork, serviceAuthor } from '../core/work.ts';
import { openAccess, reportRevoked } from './connector-access.ts';

/** How many of a tenant are tried at a time; the others follow. */
const batchSize = 100;

/** Authorities of a tenant that were revoked here and not yet confirmed. */
export async function listRevoking(context: AppContext, tenant: Tenant): Promise<readonly Id[]> {
  const { store } = openReadWork(context, serviceAuthor(tenant));
  const found = await store.table(authority).list({ where: { state: 'revoke-in-progress' }, limit: batchSize });
  return found.map(({ id }) => id);
}

/**
 * Returns whether the custodian has confirmed. An authority without credentials, or whose connector cannot revoke, waits for an operator;
 * a custodian that does not answer is asked again.
 */
export async function revokeAtCustodian(
  context: AppContext,
  tenant: Tenant,
  { authority: id, signal }: { readonly authority: Id; readonly signal: AbortSignal },
): Promise<boolean> {
  const opened = await openAccess(context, { tenant, authority: id, signal, purpose: 'revoke' });
  if (opened?.connector.revoke === undefined || opened.access.credentials === '') return false;
  if (opened.access.settings.revocationUrl === null) return false;
  try {
    await opened.connector.revoke(opened.access);
  } catch (error) {
    // Credentials that are not valid any more need not be revoked.
    if (!(error instanceof ConnectorFailure) || error.kind !== 'credentials-broken') throw error;
  }
  await reportRevoked(context, { tenant, authority: id });
  return true;
}
