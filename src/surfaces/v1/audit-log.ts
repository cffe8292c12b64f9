// The audit log on v1: newest first, never written from outside.

import { id, oneOf, text } from '../../kit/field.ts';
import { auditEntry, auditedActs } from '../../model/audit-entry.ts';
import { auditRules } from '../../actions/audit.ts';
import { listPath, readPath, type V1Paths } from './paths.ts';

const paths: V1Paths<typeof auditEntry> = {
  rules: auditRules,
  collection: '/v1/audit-log',
  filters: {
    subject_type: {
      field: 'subjectType',
      parameter: { kind: text({ lengthMax: 64 }), description: 'Only this kind of thing, such as `client`.' },
    },
    subject_id: { field: 'subjectId', parameter: { kind: text({ lengthMax: 64 }), description: 'Only this thing.' } },
    act: { field: 'act', parameter: { kind: oneOf(auditedActs), description: 'Only this kind of change.' } },
    credential_id: {
      field: 'credentialId',
      parameter: { kind: id, description: 'Only what this application or key did.' },
    },
    client_id: { field: 'client', parameter: { kind: id, description: 'Only what concerns this client.' } },
  },
  order: 'newest-first',
  readRight: 'admin',
  writeRight: 'admin',
  writeRefusals: [],
};

export const auditLogPaths = [listPath(paths), readPath(paths)];
