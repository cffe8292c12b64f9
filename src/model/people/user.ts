// The user: a person as a caller sees them, through their memberships. Name, role and status belong to each membership, so that one
// client never learns what another has entered, not even how it wrote the address.

import { defined } from '../../kit/assert.ts';
import { type FieldKind, id as idKind, instant, oneOf, text, trimmed } from '../../kit/field.ts';
import { listOf, objectOf } from '../../kit/structured-field.ts';
import type { Id } from '../../kit/id.ts';
import { declareResource, exampleIdOfType, type RecordOf } from '../../kit/resource.ts';
import { emailAddress } from './email-address.ts';
import { roles, type Role } from './role.ts';

const userStatuses = ['active', 'invited', 'disabled'] as const;
export type UserStatus = (typeof userStatuses)[number];

/** The id of the user in all examples. */
export const exampleUserId = '01a1dfac-6b33-7c4e-8d2f-5a7b9c1e3f60';

/** Every script has names, with apostrophes, hyphens, dots and combining marks; people also copy them with spaces around. */
const namePart = (lengthMin: number): FieldKind<string> => trimmed(text({ lengthMin, lengthMax: 200 }));

const membershipField = objectOf({
  clientId: { kind: idKind, description: 'The client.' },
  role: { kind: oneOf(roles), description: 'The role there.' },
  status: { kind: oneOf(userStatuses), description: 'The status there.' },
  joinedAt: { kind: instant, description: 'When an invite to it was first accepted.', optional: true },
});

export const user = declareResource({
  type: 'user',
  plural: 'users',
  description:
    'A user: a person who reads reports or administers a client. One login per address, with a membership at each client that they belong to.',
  usage: {
    purpose: 'People sign in to the portal or the console; programs use applications and keys instead.',
    list: 'See who can look at a client, with which role, and who has not signed in yet.',
    read: 'Look up a person’s role, their memberships, and the reporting entities that they may read.',
    create: 'Add a person to a client with a role. An invite lets them join; until then they have no access.',
    change:
      'Correct a person’s name or address, decide which reporting entities they may read, or give them another role where roles can be changed. It takes effect with their next request.',
    delete:
      'Remove a person from the clients that the token sees. Their sessions there end at once; what they did stays in the audit log.',
  },
  table: 'person',
  exampleId: exampleUserId,
  owner: { relation: 'client' },
  attributes: {
    contactEmail: {
      kind: emailAddress,
      snakeCaseName: 'email',
      description:
        'The address for invites and notices. A token bound to one client cannot change it, since the login may have access to other clients too.',
      writable: 'always',
      required: true,
      filter: true,
      example: 'signe@lindqvist.example',
    },
    firstName: {
      kind: namePart(1),
      description: 'Free-form.',
      writable: 'always',
      required: true,
      example: 'Signe',
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
        '`invited` until an invite is accepted, `active` afterwards, `disabled` if an admin has disabled the user at every client that the caller sees.',
      writable: 'never',
      computed: true,
      filter: true,
    },
    role: {
      kind: oneOf(roles),
      description:
        'What they may do: a `viewer` reads reports, an `advisor` can also see how they were calculated, an `admin` can also manage the people of the client. A sent role applies at every client that the caller sees, and in invites there that were not accepted yet; the role shown is that of the oldest membership. Defaults to `viewer`.',
      writable: 'always',
      example: 'viewer',
    },
    memberships: {
      kind: listOf(membershipField, { itemsMax: 10_000 }),
      description: 'The clients that they belong to, among those that the caller sees, oldest first.',
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
      description: 'The client that they are added to. The client shown is that of the oldest membership.',
      writable: 'at-creation',
      required: true,
      filter: true,
      example: exampleIdOfType('client'),
    },
    readAccessToReportingEntities: {
      to: 'reporting-entity',
      many: { table: 'read_grant', column: 'person_id', otherColumn: 'reporting_entity_id' },
      description: 'The reporting entities of their clients that they may read. A sent list replaces the previous one.',
      writable: 'always',
      filter: true,
      example: [exampleIdOfType('reporting-entity')],
    },
  },
});

type DeclaredUser = RecordOf<typeof user>;

/** The membership of a person at one client. */
export interface Membership {
  readonly clientId: Id;
  /** The address as this client wrote it. */
  readonly contactEmail: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly role: Role;
  readonly createdAt: number;
  readonly joinedAt: number | null;
  readonly disabledAt: number | null;
  readonly reportingEntityIds: readonly Id[];
}

/** A user with every membership that the caller sees. */
export interface User extends DeclaredUser {
  readonly visibleMemberships: readonly Membership[];
  /** Set right after creation: the client that they were added to. */
  readonly addedToClientId?: Id;
}

export function membershipStatus({ joinedAt, disabledAt }: Membership): UserStatus {
  if (disabledAt !== null) return 'disabled';
  return joinedAt === null ? 'invited' : 'active';
}

/** `active` if any membership is, `disabled` if all are. */
export function userStatus(memberships: readonly Membership[]): UserStatus {
  const statuses = new Set(memberships.map(membershipStatus));
  if (statuses.has('active')) return 'active';
  return statuses.has('invited') ? 'invited' : 'disabled';
}

export function fullName({ firstName, lastName }: Pick<Membership, 'firstName' | 'lastName'>): string {
  return [firstName, lastName].filter((part) => part !== '').join(' ');
}

/** Splits a name at its last space; `fullName` joins it to the same name again. */
export function splitName(name: string): Pick<Membership, 'firstName' | 'lastName'> {
  const at = name.lastIndexOf(' ');
  return at < 0 ? { firstName: name, lastName: '' } : { firstName: name.slice(0, at), lastName: name.slice(at + 1) };
}

/** Builds a user from the memberships that the caller sees, oldest first. */
export function userFromMemberships(id: Id, visibleMemberships: readonly Membership[]): User {
  const oldest = defined(visibleMemberships[0], 'a visible user has a visible membership');
  return {
    id,
    contactEmail: oldest.contactEmail,
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
