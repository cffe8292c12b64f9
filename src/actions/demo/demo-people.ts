// Creates the people of the demo family office with their roles and grants. No mail is sent.

import type { Id } from '../../kit/id.ts';
import type { Role } from '../../model/people/role.ts';
import { createUser } from '../people/user.ts';
import type { Work } from '../core/work.ts';

/** A client and its reporting entity. */
export interface DemoClient {
  readonly client: Id;
  readonly reportingEntity: Id;
}

/** The mother administers the family, a son reads his own reports, and their adviser sees both. */
export async function createPeople(work: Work, { family, son }: Record<'family' | 'son', DemoClient>): Promise<void> {
  const add = (
    member: DemoClient,
    role: Role,
    [firstName, lastName, contactEmail]: readonly [string, string, string],
  ) =>
    createUser(work, {
      client: member.client,
      firstName,
      lastName,
      contactEmail,
      role,
      readAccessToReportingEntities: [member.reportingEntity],
    });
  await add(family, 'admin', ['Ingrid', 'Lindqvist', 'ingrid@lindqvist.example']);
  await add(son, 'viewer', ['Erik', 'Lindqvist', 'erik@lindqvist.example']);
  await add(family, 'advisor', ['Beat', 'Sommer', 'beat@sonnenberg.example']);
  await add(son, 'advisor', ['Beat', 'Sommer', 'beat@sonnenberg.example']);
}
