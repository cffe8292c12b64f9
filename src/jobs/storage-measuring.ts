// Measures what the rows of each environment take, for quotas and metrics.

import { minuteMs } from '../kit/clock.ts';
import { measureStorage } from '../actions/access/storage-quota.ts';
import type { AppContext } from '../actions/core/context.ts';
import type { Job } from './scheduler.ts';

/** There may be very many environments. */
const giveUpMs = 60 * minuteMs;

export function storageMeasuring(context: AppContext): Job {
  return { name: 'storage', intervalMs: minuteMs, giveUpMs, run: (signal) => measureStorage(context, signal) };
}
