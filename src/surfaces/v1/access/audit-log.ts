// The audit log on v1: newest first, read only.

import type { auditEntry } from '../../../model/access/audit-entry.ts';
import { auditLogActions } from '../../../actions/access/audit-log.ts';
import { v1ListPath, v1ReadPath, type V1Paths } from '../resource-paths.ts';

const paths: V1Paths<typeof auditEntry> = {
  actions: auditLogActions,
  order: 'newest-first',
  readRight: 'admin',
};

export const auditLogPaths = [v1ListPath(paths), v1ReadPath(paths)];
