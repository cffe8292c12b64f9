// The use cases of a workspace's administrators: list them, add one by a mailed link, remove one, and print a link for the operator.

import { defined } from '../../kit/assert.ts';
import { hourMs } from '../../kit/clock.ts';
import { isUuid, type Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { ChangeOf } from '../../kit/resource.ts';
import type { AuditedAction } from '../../model/access/audit-entry.ts';
import { rights, type Tenant } from '../../model/access/scope.ts';
import { administrator, type Administrator } from '../../model/people/administrator.ts';
import { inviteLifetimeMs } from '../../model/people/invite.ts';
import { administratorPosition, type StoredAdministrator } from '../../store/people/administrators.ts';
import type { ListQuery } from '../../store/resources/table.ts';
import type { AppContext } from '../core/context.ts';
import type { CreateActions, DeleteActions } from '../core/record-actions.ts';
import { notFound, toResultPage, type Guard, type RecordChange, type ResultPage } from '../core/resource.ts';
import { snapshot } from '../core/snapshot.ts';
import { audit, lacksAllClients, lacksRight, runInTransaction, serviceAuthor, type Work } from '../core/work.ts';
import { hashSecret, newPlacedSecret } from '../access/placed-secret.ts';
import { inviteLink, inviterName, queueAdministratorMail } from './mail.ts';
import { addressDigest, createPersonKey, sealSnapshots } from './personal-data-sealing.ts';
import { personIdFor } from './user.ts';

/** How long a link works that the first start or the operator's command printed. */
export const printedLinkLifetimeMs = 24 * hourMs;

/** How many a workspace may have in one environment, invited ones included. */
const administratorsMax = 100;

/** Who administers the workspace concerns only those who see all of it. */
function requireWholeWorkspace(work: Work): void {
  if (!lacksAllClients(work)) return;
  throw new Refusal('outside-reach', 'Only callers of the whole workspace see and change its administrators.');
}

/** Nobody hands on more than they have: an administrator has all rights. */
function requireAllRights(work: Work): void {
  const missing = rights.filter((right) => lacksRight(work, right));
  if (missing.length === 0) return;
  const detail = `An administrator has all rights, and only a caller with all of them can add one. Missing here: ${missing.map((right) => `\`${right}\``).join(', ')}.`;
  throw new Refusal('right-missing', detail);
}

/** All administrators must be locked. A printed link has no such bound: the operator makes one at a time, and it is the way back in. */
async function requireRoom({ store }: Work): Promise<void> {
  if ((await store.administrators.count()) < administratorsMax) return;
  throw new Refusal(
    'too-many-administrators',
    `A workspace may have at most ${administratorsMax} administrators in an environment, invited ones included. Remove one who no longer needs the role.`,
  );
}

async function showAll(work: Work, stored: readonly StoredAdministrator[]): Promise<readonly Administrator[]> {
  const links = await work.store.administrators.newestLinks(stored.map(({ id }) => id));
  const mails = await work.store.mails.listMailStates([...links.values()]);
  return stored.map((one) => ({
    ...one,
    status: one.joinedAt === null ? 'invited' : 'active',
    mail: mails.get(links.get(one.id) ?? one.id) ?? null,
  }));
}

async function show(work: Work, stored: StoredAdministrator): Promise<Administrator> {
  return defined((await showAll(work, [stored]))[0], 'one is shown for each');
}

/** Undefined for a person who is no administrator, and for callers who do not see the whole workspace. */
export async function findAdministrator(work: Work, id: string): Promise<Administrator | undefined> {
  if (work.store.scope.visibleClients.kind !== 'all') return undefined;
  const found = await work.store.administrators.find(id);
  return found && show(work, found);
}

async function getAdministrator(work: Work, id: string): Promise<Administrator> {
  requireWholeWorkspace(work);
  const found = await findAdministrator(work, id);
  if (found === undefined) throw notFound(administrator);
  return found;
}

async function listAdministrators(work: Work, { after, limit }: ListQuery): Promise<ResultPage<Administrator>> {
  requireWholeWorkspace(work);
  const rows = await work.store.administrators.list({ after, limit: limit + 1 });
  const { records, hasMore } = toResultPage(rows, limit);
  return { records: await showAll(work, records), hasMore };
}

async function countAdministrators(work: Work): Promise<number> {
  requireWholeWorkspace(work);
  return work.store.administrators.count();
}

export async function auditAdministrator(
  work: Work,
  act: AuditedAction,
  { before, after }: RecordChange<StoredAdministrator>,
): Promise<void> {
  const { id } = defined(after ?? before, 'a change has an administrator before or after it');
  const snapshots = [before, after].map((one) =>
    one === undefined
      ? null
      : snapshot(administrator, { ...one, status: one.joinedAt === null ? 'invited' : 'active' }),
  );
  const [sealedBefore = null, sealedAfter = null] = await sealSnapshots(work, id, snapshots);
  audit(work, { act, type: administrator.type, id, clientId: null, before: sealedBefore, after: sealedAfter });
}

/** Adds a person who has not joined yet, or renames them. */
export async function putAdministrator(
  work: Work,
  id: Id,
  fields: Pick<StoredAdministrator, 'contactEmail' | 'firstName' | 'lastName'>,
): Promise<StoredAdministrator> {
  const { administrators } = work.store;
  const before = await administrators.find(id);
  createPersonKey(work, id, before?.contactEmail ?? fields.contactEmail);
  const after = await administrators.put(id, { ...fields, at: work.now });
  await auditAdministrator(
    work,
    before === undefined ? 'create' : 'change',
    before === undefined ? { after } : { before, after },
  );
  return after;
}

/** Mails a link to the address. Asked again before the link is used, mails a new one, and the old one no longer works. */
export async function createAdministrator(work: Work, input: ChangeOf<typeof administrator>): Promise<Administrator> {
  requireWholeWorkspace(work);
  requireAllRights(work);
  const contactEmail = defined(input.contactEmail, 'a new administrator has an address');
  const linkId = work.ids.next();
  const { administrators } = work.store;
  await administrators.lockAll();
  const id = await personIdFor(work, contactEmail);
  const known = await administrators.find(id);
  if (known === undefined) await requireRoom(work);
  else if (known.joinedAt !== null)
    throw new Refusal('administrator-exists', `The person ${id} is already an administrator of this workspace.`);
  const stored = await putAdministrator(work, id, {
    contactEmail,
    firstName: defined(input.firstName, 'a new administrator has a first name'),
    lastName: defined(input.lastName, 'a new administrator has a last name'),
  });
  const secret = newPlacedSecret(work.store.scope.workspaceId);
  const expiresAt = work.now + inviteLifetimeMs;
  await queueAdministratorMail(work, {
    link: { id: linkId, expiresAt },
    personId: id,
    to: stored.contactEmail,
    secret,
    inviter: await inviterName(work),
  });
  administrators.replaceLinks({
    id: linkId,
    personId: id,
    secretHash: hashSecret(secret),
    at: work.now,
    expiresAt,
  });
  return show(work, stored);
}

/** Takes the role away with immediate effect. Only an application or key can take it from the last who has it. */
export async function removeAdministrator(
  work: Work,
  id: string,
  guard: Guard<typeof administrator> = () => {},
): Promise<void> {
  requireWholeWorkspace(work);
  const { administrators, personKeys } = work.store;
  const all = await administrators.lockAll();
  const present = await getAdministrator(work, id);
  guard(present);
  const isByPerson = work.subject !== null && isUuid(work.subject);
  if (isByPerson && present.joinedAt !== null && !all.some((one) => one.id !== id && one.joinedAt !== null)) {
    throw new Refusal(
      'last-administrator',
      'This is the last administrator of the workspace. Add another first, or remove this one with an application or key.',
    );
  }
  const { status: _status, mail: _mail, ...stored } = present;
  await auditAdministrator(work, 'delete', { before: stored });
  personKeys.putAddress(id, addressDigest(work, present.contactEmail));
  await administrators.remove(present.id);
}

export interface PrintedLink {
  readonly link: string;
  readonly expiresAt: number;
}

/**
 * Makes a link that names nobody: whoever has it and signs in becomes an administrator. Earlier ones no longer work. For the first start,
 * and for an operator, who needs no token: having the database and the key is enough.
 */
export async function makePrintedLink(context: AppContext, tenant: Tenant): Promise<PrintedLink> {
  const secret = newPlacedSecret(tenant.workspaceId);
  const expiresAt = context.clock.now() + printedLinkLifetimeMs;
  await runInTransaction(context, serviceAuthor(tenant), async (work) => {
    const id = work.ids.next();
    const link = { id, personId: null, secretHash: hashSecret(secret), at: work.now, expiresAt };
    work.store.administrators.replaceLinks(link);
    const after = { id, expires_at: new Date(expiresAt).toISOString() };
    audit(work, { act: 'create', type: 'administrator-link', id, clientId: null, before: null, after });
  });
  return { link: inviteLink(context, secret), expiresAt };
}

export const administratorActions: CreateActions<typeof administrator> & DeleteActions<typeof administrator> = {
  resource: administrator,
  refusals: ['administrator-exists', 'too-many-administrators', 'outside-reach', 'mail-limit'],
  get: getAdministrator,
  list: listAdministrators,
  count: countAdministrators,
  positionOf: administratorPosition,
  create: createAdministrator,
  delete: removeAdministrator,
};
