// The user: a person as far as a caller sees them, which is through their memberships. What is called how, as what they were let in
// and whether they are stands with each membership: nobody learns through one client what another has written.

import { type FieldKind, id as idKind, instant, oneOf, text } from '../../kit/field.ts';
import { listOf, objectOf } from '../../kit/structured-field.ts';
import type { Id } from '../../kit/id.ts';
import { declareResource, exampleIdOfType, type RecordOf } from '../../kit/resource.ts';
import { emailAddress } from './email-address.ts';
import { roles, type Role } from './role.ts';

export const userStatuses = ['active', 'invited', 'disabled'] as const;
export type UserStatus = (typeof userStatuses)[number];

/** The one user that all examples speak of. */
export const exampleUserId = '01a1dfac-6b33-7c4e-8d2f-5a7b9c1e3f60';

const namePart = (lengthMin: number): FieldKind<string> => text({ lengthMin, lengthMax: 200 });

const membershipField = objectOf({
  clientId: { kind: idKind, description: 'The client.' },
  role: { kind: oneOf(roles), description: 'The role there.' },
  status: { kind: oneOf(userStatuses), description: 'Whether they are in there.' },
  joinedAt: { kind: instant, description: 'When an invite to it was first accepted.', optional: true },
});

export const user = declareResource({
  type: 'user',
  plural: 'users',
  description:
    'A user: a person who reads reports or runs a client. One login for each address, with a membership at each client that has let them in.',
  table: 'person',
  exampleId: exampleUserId,
  owner: { relation: 'client' },
  attributes: {
    contactEmail: {
      kind: emailAddress,
      snakeCaseName: 'email',
      description:
        'The address that invites and notices are sent to. A token bound to one client cannot change it: the login may reach further than the token.',
      writable: 'always',
      required: true,
      filter: true,
      example: 'astrid@lindqvist.example',
    },
    firstName: {
      kind: namePart(1),
      description: 'Free-form.',
      writable: 'always',
      required: true,
      example: 'Astrid',
    },
    lastName: {
      kind: namePart(0),
      description: 'Free-form; may be empty.',
      writable: 'always',
      required: true,
      example: 'Lindqvist',
    },
    name: {
      kind: text({ lengthMin: 0, lengthMax: 401 }),
      description: 'First and last name joined.',
      writable: 'never',
      computed: true,
    },
    status: {
      kind: oneOf(userStatuses),
      description:
        '`invited` until an invite was accepted, `active` from then on, `disabled` where an admin has said so for every client that the caller sees.',
      writable: 'never',
      computed: true,
      filter: true,
    },
    role: {
      kind: oneOf(roles),
      description:
        'What they may do: a `viewer` reads reports, an `advisor` looks into them as well, an `admin` also runs the people of the client. Sent, it holds at every client that the caller sees; shown, it is that of the oldest membership. `viewer` without it.',
      writable: 'always',
      example: 'viewer',
    },
    memberships: {
      kind: listOf(membershipField, { itemsMax: 10_000 }),
      description: 'Each client that has let them in, as far as the caller sees it, oldest first.',
      writable: 'never',
      computed: true,
    },
    createdAt: {
      kind: instant,
      description: 'When they were first added to a client that the caller sees.',
      writable: 'never',
    },
  },
  relations: {
    client: {
      to: 'client',
      description: 'The client that they are added to; shown, the one of the oldest membership.',
      writable: 'at-creation',
      required: true,
      filter: true,
      example: exampleIdOfType('client'),
    },
    readAccessToReportingEntities: {
      to: 'reporting-entity',
      many: { table: 'read_grant', column: 'person_id', otherColumn: 'reporting_entity_id' },
      description:
        'What they may read: reporting entities of their clients. Sent, it replaces what was granted before.',
      writable: 'always',
      filter: true,
      example: [exampleIdOfType('reporting-entity')],
    },
  },
});

type DeclaredUser = RecordOf<typeof user>;

/** A person at one client. */
export interface Membership {
  readonly clientId: Id;
  readonly firstName: string;
  readonly lastName: string;
  readonly role: Role;
  readonly createdAt: number;
  readonly joinedAt: number | null;
  readonly disabledAt: number | null;
  readonly reportingEntityIds: readonly Id[];
}

/** A user with all that is known of each membership in reach. */
export interface User extends DeclaredUser {
  readonly visibleMemberships: readonly Membership[];
  /** The client that they have just been added to. */
  readonly addedToClientId?: Id;
}

export function membershipStatus({ joinedAt, disabledAt }: Membership): UserStatus {
  if (disabledAt !== null) return 'disabled';
  return joinedAt === null ? 'invited' : 'active';
}

/** `disabled` where all are, `active` where one is. */
export function userStatus(memberships: readonly Membership[]): UserStatus {
  const statuses = new Set(memberships.map(membershipStatus));
  if (statuses.has('active')) return 'active';
  return statuses.has('invited') ? 'invited' : 'disabled';
}

export function fullName({ firstName, lastName }: Pick<Membership, 'firstName' | 'lastName'>): string {
  return [firstName, lastName].filter((part) => part !== '').join(' ');
}

/** A name taken apart at its last space, so that joined again it is the same. */
export function splitName(name: string): Pick<Membership, 'firstName' | 'lastName'> {
  const at = name.lastIndexOf(' ');
  return at < 0 ? { firstName: name, lastName: '' } : { firstName: name.slice(0, at), lastName: name.slice(at + 1) };
}

/** A person as seen through some of their memberships, the oldest first. */
export function userFromMemberships(
  person: { id: Id; contactEmail: string },
  visibleMemberships: readonly Membership[],
): User {
  const oldest = visibleMemberships[0]!;
  return {
    id: person.id,
    contactEmail: person.contactEmail,
    firstName: oldest.firstName,
    lastName: oldest.lastName,
    name: fullName(oldest),
    status: userStatus(visibleMemberships),
    role: oldest.role,
    memberships: visibleMemberships.map((one) => ({
      clientId: one.clientId,
      role: one.role,
      status: membershipStatus(one),
      joinedAt: one.joinedAt,
    })),
    createdAt: oldest.createdAt,
    client: oldest.clientId,
    readAccessToReportingEntities: visibleMemberships.flatMap((one) => one.reportingEntityIds).toSorted(),
    visibleMemberships,
  };
}
