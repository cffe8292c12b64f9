// The audit log is read and never written by callers: its lines come with the changes they tell of.

import { auditEntry } from '../model/audit-entry.ts';
import type { Rules } from './resource.ts';

async function neverWritten(): Promise<never> {
  throw new Error('The audit log is not written by callers.');
}

export const auditRules: Rules<typeof auditEntry> = {
  resource: auditEntry,
  clientOf: (entry) => entry.client,
  create: neverWritten,
  change: neverWritten,
};
