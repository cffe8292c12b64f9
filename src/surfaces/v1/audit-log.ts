// The audit log on v1: newest first, never written from outside.

import type { auditEntry } from '../../model/audit-entry.ts';
import { auditRules } from '../../actions/audit.ts';
import { listPath, readPath, type V1Paths } from './paths.ts';

const paths: V1Paths<typeof auditEntry> = { rules: auditRules, order: 'newest-first', readRight: 'admin' };

export const auditLogPaths = [listPath(paths), readPath(paths)];
