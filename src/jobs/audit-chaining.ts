// Chains new lines of the audit log every few seconds, so that writes do not wait for each other to be chained.

import { secondMs } from '../kit/clock.ts';
import { chainAuditLines } from '../actions/access/audit-chain.ts';
import type { AppContext } from '../actions/core/context.ts';
import type { Job } from './scheduler.ts';

export function auditChaining(context: AppContext): Job {
  return { name: 'audit-chain', intervalMs: 5 * secondMs, run: (signal) => chainAuditLines(context, signal) };
}
