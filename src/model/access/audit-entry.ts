// The audit entry: who changed what and when, with the state before and after; also who signed in and out, and who exported personal
// data. Entries are added and never changed; the oldest are deleted after their time.

import { anyObject, boolean, id, instant, oneOf, text } from '../../kit/field.ts';
import { declareResource, type RecordOf } from '../../kit/resource.ts';

const auditedActions = ['create', 'change', 'delete', 'sign-in', 'sign-out', 'export'] as const;
export type AuditedAction = (typeof auditedActions)[number];

export const auditEntry = declareResource({
  type: 'audit-entry',
  plural: 'audit-log',
  labels: { one: 'audit entry', several: 'audit entries' },
  description:
    'An entry of the audit log: one for every write, with who made it and what it changed, for every sign-in and sign-out, and for every export of personal data. Entries are deleted after the days that the operator has set, the oldest first.',
  usage: {
    purpose: 'It answers who changed what and when, and its hashes show that no entry was altered or left out.',
    list: 'Find out who changed a record, what one credential or person has done, or what happened in a period.',
    read: 'Look up one entry with the state before and after.',
  },
  table: 'audit_entry',
  owner: { relation: 'client' },
  attributes: {
    at: { kind: instant, description: 'When it happened.', writable: 'never', filter: 'period' },
    act: { kind: oneOf(auditedActions), description: 'What was done.', writable: 'never', filter: true },
    subjectType: {
      kind: text({ lengthMax: 64 }),
      description: 'The type of the record that was written.',
      writable: 'never',
      filter: true,
    },
    subjectId: {
      kind: text({ lengthMax: 64 }),
      description: 'The id of that record.',
      writable: 'never',
      filter: true,
    },
    credentialId: {
      kind: id,
      description: 'The application or key that made the write; null for the service itself.',
      writable: 'never',
      nullable: true,
      filter: true,
    },
    subject: {
      kind: text({ lengthMax: 64 }),
      description: 'The `sub` of the token that the write was made with; null for the service itself.',
      writable: 'never',
      nullable: true,
    },
    requestId: {
      kind: text({ lengthMax: 128 }),
      description: 'The id of the request that made the write; null for the service itself.',
      writable: 'never',
      nullable: true,
    },
    inEffect: {
      kind: boolean,
      description:
        'Whether it created or gave access that is still there: a membership, a role, a grant, an invite that can be accepted, an application, a key or a webhook.',
      writable: 'never',
      computed: true,
      filter: true,
    },
    before: {
      kind: anyObject,
      description: 'The record before the write; null when it was created.',
      writable: 'never',
      nullable: true,
    },
    after: {
      kind: anyObject,
      description: 'The record after the write; null when it was deleted.',
      writable: 'never',
      nullable: true,
    },
  },
  relations: {
    client: {
      to: 'client',
      description: 'The client it concerns; null when it concerns the whole workspace.',
      writable: 'never',
      filter: true,
    },
  },
});

export type AuditEntry = RecordOf<typeof auditEntry>;
