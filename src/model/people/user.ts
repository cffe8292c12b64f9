// The user: a person as far as a caller sees them, which is through their memberships. What is called how, as what they were let in
// and whether they are stands with each membership: nobody learns through one client what another has written.

import { id as idKind, instant, oneOf, text, type FieldKind } from '../../kit/field.ts';
import type { Id } from '../../kit/id.ts';
import { declareResource, exampleIdOf, type RecordOf } from '../../kit/resource.ts';
import { listOf, objectOf } from '../../kit/structured-field.ts';
import { emailAddress } from './email-address.ts';
import { roles, type Role } from './role.ts';

export const userStatuses = ['active', 'invited', 'disabled'] as const;
export type UserStatus = (typeof userStatuses)[number];

/** The one user that all examples speak of. */
export const exampleUserId = '01a1dfac-6b33-7c4e-8d2f-5a7b9c1e3f60';

const namePart = (lengthMin: number): FieldKind<string> => text({ lengthMin, lengthMax: 200 });

const membershipShown = objectOf({
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
      flatName: 'email',
      description:
        'The address that invites and notices are sent to. A token bound to one client cannot change it: the login may reach further than the token.',
      on: ['json-api', 'plain', 'v1'],
      writable: 'always',
      required: true,
      filter: true,
      example: 'astrid@lindqvist.example',
    },
    firstName: {
      kind: namePart(1),
      description: 'Free-form.',
      on: ['json-api', 'v1'],
      writable: 'always',
      required: true,
      example: 'Astrid',
    },
    lastName: {
      kind: namePart(0),
      description: 'Free-form; may be empty.',
      on: ['json-api', 'v1'],
      writable: 'always',
      required: true,
      example: 'Lindqvist',
    },
    name: {
      kind: text({ lengthMin: 0, lengthMax: 401 }),
      description: 'First and last name joined.',
      on: ['plain', 'v1'],
      writable: 'never',
      workedOut: true,
    },
    status: {
      kind: oneOf(userStatuses),
      description:
        '`invited` until an invite was accepted, `active` from then on, `disabled` where an admin has said so for every client that the caller sees.',
      on: ['plain', 'v1'],
      writable: 'never',
      workedOut: true,
      filter: true,
    },
    role: {
      kind: oneOf(roles),
      description:
        'What they may do: a `viewer` reads reports, an `advisor` looks into them as well, an `admin` also runs the people of the client. Sent, it holds at every client that the caller sees; shown, it is that of the oldest membership. `viewer` without it.',
      on: ['v1'],
      writable: 'always',
      example: 'viewer',
    },
    memberships: {
      kind: listOf(membershipShown, { itemsMax: 10_000 }),
      description: 'Each client that has let them in, as far as the caller sees it, oldest first.',
      on: ['v1'],
      writable: 'never',
      workedOut: true,
    },
    createdAt: {
      kind: instant,
      description: 'When they were first added to a client that the caller sees.',
      on: ['plain', 'v1'],
      writable: 'never',
    },
  },
  relations: {
    client: {
      to: 'client',
      description: 'The client that they are added to; shown, the one of the oldest membership.',
      on: ['v1'],
      writable: 'at-creation',
      required: true,
      filter: true,
      example: exampleIdOf('client'),
    },
    readAccessToReportingEntities: {
      to: 'reporting-entity',
      many: { table: 'read_grant', column: 'person_id', gives: 'reporting_entity_id' },
      description:
        'What they may read: reporting entities of their clients. Sent, it replaces what was granted before.',
      on: ['json-api', 'v1'],
      writable: 'always',
      filter: true,
      example: [exampleIdOf('reporting-entity')],
    },
  },
});

type Declared = RecordOf<typeof user>;

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
export interface User extends Declared {
  readonly seen: readonly Membership[];
  /** The client that they have just been added to. */
  readonly addedTo?: Id;
}

export function statusOfMembership({ joinedAt, disabledAt }: Membership): UserStatus {
  if (disabledAt !== null) return 'disabled';
  return joinedAt === null ? 'invited' : 'active';
}

/** `disabled` where all are, `active` where one is. */
export function statusOfUser(memberships: readonly Membership[]): UserStatus {
  const statuses = new Set(memberships.map(statusOfMembership));
  if (statuses.has('active')) return 'active';
  return statuses.has('invited') ? 'invited' : 'disabled';
}

export function nameOf({ firstName, lastName }: Pick<Membership, 'firstName' | 'lastName'>): string {
  return [firstName, lastName].filter((part) => part !== '').join(' ');
}

/** A name taken apart at its last space, so that joined again it is the same. */
export function splitName(name: string): Pick<Membership, 'firstName' | 'lastName'> {
  const at = name.lastIndexOf(' ');
  return at < 0 ? { firstName: name, lastName: '' } : { firstName: name.slice(0, at), lastName: name.slice(at + 1) };
}

/** A person as seen through some of their memberships, the oldest first. */
export function userThrough(person: { id: Id; contactEmail: string }, seen: readonly Membership[]): User {
  const oldest = seen[0]!;
  return {
    id: person.id,
    contactEmail: person.contactEmail,
    firstName: oldest.firstName,
    lastName: oldest.lastName,
    name: nameOf(oldest),
    status: statusOfUser(seen),
    role: oldest.role,
    memberships: seen.map((one) => ({
      clientId: one.clientId,
      role: one.role,
      status: statusOfMembership(one),
      joinedAt: one.joinedAt,
    })),
    createdAt: oldest.createdAt,
    client: oldest.clientId,
    readAccessToReportingEntities: seen.flatMap((one) => one.reportingEntityIds).toSorted(),
    seen,
  };
}
