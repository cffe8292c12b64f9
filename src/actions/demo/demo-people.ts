// Creates the people of the demo family office with their roles and grants. No mail is sent.

import type { Id } from '../../kit/id.ts';
import type { Role } from '../../model/people/role.ts';
import { createUser } from '../people/user.ts';
import type { Work } from '../core/work.ts';
import type { DemoFamily } from './seed-family.ts';
import type { DemoTakeover } from './seed-takeover.ts';

/** The mother administers the family, a son reads his own reports, and their adviser sees both, and what is taken over. Returns the adviser. */
export async function createPeople(work: Work, family: DemoFamily, takeover: DemoTakeover): Promise<Id> {
  const add = (
    { client, entities, role }: { readonly client: Id; readonly entities: readonly Id[]; readonly role: Role },
    [firstName, lastName, contactEmail]: readonly [string, string, string],
  ) => createUser(work, { client, firstName, lastName, contactEmail, role, readAccessToReportingEntities: entities });
  const { client, consolidated, son } = family;
  const adviser = ['Beat', 'Sommer', 'beat@sonnenberg.example'] as const;
  await add({ client, entities: [consolidated], role: 'admin' }, ['Ingrid', 'Lindqvist', 'ingrid@lindqvist.example']);
  await add({ client, entities: [son], role: 'viewer' }, ['Erik', 'Lindqvist', 'erik@lindqvist.example']);
  await add({ client, entities: [consolidated, son], role: 'advisor' }, adviser);
  const { id } = await add({ client: takeover.client, entities: [takeover.known], role: 'advisor' }, adviser);
  return id;
}
