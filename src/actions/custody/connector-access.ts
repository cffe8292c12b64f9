// Opens the access that an authority gives to its custodian, for feeds; and takes back what a connector reports: renewed credentials, a
// connection that broke or works again, a consent that was withdrawn.

import type { Id } from '../../kit/id.ts';
import type { Tenant } from '../../model/access/scope.ts';
import { authority, connectionOf, type Authority } from '../../model/custody/authority.ts';
import { secretOrigins, type Connector, type ConnectorAccess } from '../../model/custody/connector.ts';
import type { AppContext } from '../core/context.ts';
import { getRecord } from '../core/resource.ts';
import { sealContext } from '../core/seal-context.ts';
import { runInTransaction, serviceAuthor, type Work } from '../core/work.ts';
import { breakConnection, confirmRevocation, restoreConnection } from './authority.ts';
import { getCustodianSettings, openConnector } from './custodian-settings.ts';

export const credentialsPurpose = 'authority-credentials';

export function sealCredentials({ context, store }: Work, authorityId: Id, credentials: string): Buffer {
  return context.keyring.seal(credentialsPurpose, credentials, sealContext(store.scope, authorityId));
}

/** The authority has other credentials than those that were opened, or none any more: what these gave is not to be stored. */
export class CredentialsReplaced extends Error {}

export interface OpenedAccess {
  readonly authority: Authority;
  readonly connector: Connector;
  readonly access: ConnectorAccess;
  /** The credentials as they were opened, or renewed since. */
  readonly credentials: StoredCredentials;
}

interface AccessQuery {
  readonly tenant: Tenant;
  readonly authority: Id;
  readonly signal: AbortSignal;
  /** `feed`: only while data may come in. `revoke`: only while the custodian has not confirmed the revocation. */
  readonly purpose: 'feed' | 'revoke';
}

/** Undefined where the authority gives no access now, or its custodian has no connector that this node runs. */
export async function openAccess(context: AppContext, query: AccessQuery): Promise<OpenedAccess | undefined> {
  const { tenant, authority: id, signal } = query;
  return runInTransaction(context, serviceAuthor(tenant), async (work) => {
    const found = await work.store.table(authority).find(id);
    if (found === undefined || !isOpen(found, query.purpose, work.now)) return undefined;
    const opened = await openConnector(work, found.custodian);
    if (opened === undefined) return undefined;
    const sealed = await work.store.custody.sealed.find('authority', id);
    const credentials = sealed && context.keyring.open(credentialsPurpose, sealed, sealContext(tenant, id)).toString();
    const { settings, connector } = opened;
    const stored = new StoredCredentials(context, { tenant, authority: id }, sealed);
    const saveCredentials = (text: string): Promise<void> => stored.renew(text);
    const originsAtConsent = (): Promise<readonly string[]> => findOriginsAtConsent(context, query);
    const access = {
      settings,
      signal,
      authority: id,
      credentials: credentials ?? '',
      saveCredentials,
      originsAtConsent,
    };
    return { authority: found, connector, access, credentials: stored };
  });
}

function isOpen(found: Authority, wanted: AccessQuery['purpose'], now: number): boolean {
  if (wanted === 'revoke') return found.state === 'revoke-in-progress';
  // A broken connection is tried again: the custodian may accept the credentials after all.
  return ['connected', 'broken'].includes(connectionOf(found, now));
}

type AuthorityOfTenant = Pick<AccessQuery, 'tenant' | 'authority'>;

/** The origins of the custodian's addresses when the authority was last granted. */
async function findOriginsAtConsent(
  context: AppContext,
  { tenant, authority: id }: AuthorityOfTenant,
): Promise<readonly string[]> {
  return runInTransaction(context, serviceAuthor(tenant), async (work) => {
    const { custodian, grantedAt } = await getRecord(work, { resource: authority }, id);
    const former =
      grantedAt === null ? undefined : await work.store.custody.formerAddresses.findAt(custodian, new Date(grantedAt));
    return secretOrigins(former ?? (await getCustodianSettings(work, custodian)));
  });
}

/** The credentials that a connector works with. Meanwhile the authority may be reconnected, which gives it others, or lose them. */
export class StoredCredentials {
  readonly #context: AppContext;
  readonly #of: AuthorityOfTenant;
  #sealed: Buffer | null;

  constructor(context: AppContext, of: AuthorityOfTenant, sealed: Buffer | null) {
    this.#context = context;
    this.#of = of;
    this.#sealed = sealed;
  }

  /** Throws `CredentialsReplaced` where the authority has others by now: these are of a consent that counts no more. */
  async renew(text: string): Promise<void> {
    const { tenant, authority: id } = this.#of;
    this.#sealed = await runInTransaction(this.#context, serviceAuthor(tenant), async (work) => {
      const renewed = sealCredentials(work, id, text);
      const { sealed } = work.store.custody;
      if (await sealed.replaceCredentials(id, { former: this.#sealed, renewed })) return renewed;
      const present = await sealed.find('authority', id);
      const isSame = present !== null && this.#isOf(present);
      if (isSame && (await sealed.replaceCredentials(id, { former: present, renewed }))) return renewed;
      throw new CredentialsReplaced('The credentials of the authority were replaced while they were in use.');
    });
  }

  /** Whether the authority, which must be locked, still has them. */
  async areCurrent({ store }: Work): Promise<boolean> {
    const present = await store.custody.sealed.find('authority', this.#of.authority);
    return present === null ? this.#sealed === null : this.#isOf(present);
  }

  /** Whether sealed credentials are the ones that were opened. They may have been sealed again meanwhile, with the next encryption key. */
  #isOf(present: Buffer): boolean {
    if (this.#sealed === null) return false;
    if (present.equals(this.#sealed)) return true;
    const { tenant, authority: id } = this.#of;
    const open = (sealed: Buffer): Buffer =>
      this.#context.keyring.open(credentialsPurpose, sealed, sealContext(tenant, id));
    return open(present).equals(open(this.#sealed));
  }
}

/** The custodian no longer accepts the credentials: accounts are disconnected until the authority is reconnected. */
export function reportBroken(context: AppContext, of: AuthorityOfTenant, reason: string): Promise<void> {
  return runInTransaction(context, serviceAuthor(of.tenant), (work) => breakConnection(work, of.authority, reason));
}

/** A connection that was broken works again. */
export function reportWorking(context: AppContext, of: AuthorityOfTenant): Promise<void> {
  return runInTransaction(context, serviceAuthor(of.tenant), (work) => restoreConnection(work, of.authority));
}

/** The custodian has confirmed that consent is withdrawn. Does nothing if another node or an operator has confirmed it meanwhile. */
export async function reportRevoked(context: AppContext, of: AuthorityOfTenant): Promise<void> {
  await runInTransaction(context, serviceAuthor(of.tenant), async (work) => {
    const present = await work.store.table(authority).lock(of.authority, 'to-change');
    if (present?.state === 'revoke-in-progress') await confirmRevocation(work, present.id);
  });
}
