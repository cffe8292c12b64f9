// Consent that nears its end: warned of once for each of the custodian's numbers of days, by an event and by mail to the client's
// administrators; and reported as ended, after which no data comes in.

import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import { formatInstant } from '../../kit/instant.ts';
import type { Tenant } from '../../model/access/scope.ts';
import { authority, type Authority } from '../../model/custody/authority.ts';
import { composeConsentEndMail } from '../../model/people/mail/consent-end-mail.ts';
import { membershipStatus, type Membership } from '../../model/people/user.ts';
import { client } from '../../model/structure/client.ts';
import { custodian } from '../../model/structure/custodian.ts';
import { legalEntity } from '../../model/structure/legal-entity.ts';
import type { DueWarning } from '../../store/custody/authority-ends.ts';
import { emitAuthorityExpiring } from '../events/event.ts';
import { queueMail } from '../people/mail.ts';
import { openPeople } from '../people/user.ts';
import type { AppContext } from '../core/context.ts';
import { openReadWork, runInTransaction, serviceAuthor, type Work } from '../core/work.ts';
import { breakConnection, lockAuthority } from './authority.ts';

/** At most this many of each kind in one run; the next run goes on. */
const batchMax = 1_000;
/** How many administrators of one client are told. */
const administratorsMax = 100;

/** Runs each piece of work by itself: one that fails keeps none of the others from being done. */
async function runEach<T>(items: readonly T[], task: (item: T) => Promise<void>, errors: unknown[]): Promise<void> {
  for (const item of items) await task(item).catch((error: unknown) => errors.push(error));
}

/** Looks at all authorities of a tenant. Returns the errors of those that have to be looked at again. */
export async function reportAuthorityEnds(context: AppContext, tenant: Tenant): Promise<readonly unknown[]> {
  const author = serviceAuthor(tenant);
  const { ends } = openReadWork(context, author).store.custody;
  const now = context.clock.now();
  const errors: unknown[] = [];
  const transact = (task: (work: Work) => Promise<void>): Promise<void> => runInTransaction(context, author, task);
  await runEach(await ends.listDueWarnings(now, batchMax), (due) => transact((work) => warn(work, due)), errors);
  await runEach(await ends.listUnmailed(batchMax), (id) => transact((work) => mailAdministrators(work, id)), errors);
  await runEach(await ends.listEnded(now, batchMax), (id) => transact((work) => reportEnd(work, id)), errors);
  return errors;
}

async function findAuthority(work: Work, id: Id): Promise<Authority> {
  return defined(await work.store.table(authority).find(id), 'an authority with a warning exists');
}

async function warn(work: Work, due: DueWarning): Promise<void> {
  if (!(await work.store.custody.ends.addWarning(due, work.now))) return;
  const { id, client: clientId, custodian: custodianId, expiresAt } = await findAuthority(work, due.authority);
  const end = defined(expiresAt, 'an authority that is warned of has an end');
  emitAuthorityExpiring(work, { id, client: clientId, custodian: custodianId, expiresAt: end });
}

async function reportEnd(work: Work, id: Id): Promise<void> {
  const { expiresAt } = await lockAuthority(work, id);
  // It was renewed in the meantime.
  if (expiresAt === null || expiresAt > work.now) return;
  await breakConnection(work, id, `The consent ended on ${formatInstant(expiresAt)}.`);
}

/** Mails that wait for the limits of addresses and workspace are tried again at the next run. */
async function mailAdministrators(work: Work, id: Id): Promise<void> {
  if (!(await work.store.custody.ends.markMailed(id, work.now))) return;
  const found = await findAuthority(work, id);
  const { expiresAt, state } = found;
  if (state !== 'active' || expiresAt === null || expiresAt <= work.now) return;
  const [owner, entity, bank] = await Promise.all([
    work.store.table(client).find(found.client),
    work.store.table(legalEntity).find(found.legalEntity),
    work.store.table(custodian).find(found.custodian),
  ]);
  const content = composeConsentEndMail({
    clientName: owner?.name ?? '',
    legalEntityName: entity?.name ?? '',
    custodianName: bank?.name ?? '',
    expiresAt,
    timeZone: work.context.timeZone,
  });
  for (const { personId, membership } of await listAdministrators(work, found.client)) {
    queueMail(work, { client: found.client, personId, invite: null, to: membership.contactEmail, content });
  }
}

/** More than any client has members. */
const membersMax = 10_000;

/** The members of a client who administer it and have joined. */
async function listAdministrators(
  work: Work,
  clientId: Id,
): Promise<readonly { readonly personId: Id; readonly membership: Membership }[]> {
  const members = await openPeople(work).list({ where: { client: clientId }, limit: membersMax });
  return members
    .flatMap(({ id, visibleMemberships }) =>
      visibleMemberships
        .filter((one) => one.clientId === clientId && one.role === 'admin' && membershipStatus(one) === 'active')
        .map((membership) => ({ personId: id, membership })),
    )
    .slice(0, administratorsMax);
}
