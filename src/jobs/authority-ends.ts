// Reports consent that nears its end or has ended, in the environments where there is any.

import { append } from '../kit/memory/long-list.ts';
import { minuteMs } from '../kit/clock.ts';
import type { AppContext } from '../actions/core/context.ts';
import { reportAuthorityEnds } from '../actions/custody/authority-end.ts';
import type { Job } from './scheduler.ts';

const intervalMs = 10 * minuteMs;
/** There may be very many environments. */
const giveUpMs = 60 * minuteMs;

/** An environment or authority that fails does not keep the others from being looked at. */
export async function reportEnds(context: AppContext, signal?: AbortSignal): Promise<void> {
  const errors: unknown[] = [];
  for (const tenant of await context.stores.preAuth.dueTenants.withAuthorityEnds(context.clock.now())) {
    if (signal?.aborted === true) break;
    const failed = await reportAuthorityEnds(context, tenant).catch((error: unknown) => [error]);
    append(errors, failed);
  }
  if (errors.length > 0)
    throw new Error(`The end of consent could not be reported for ${errors.length} authorities.`, { cause: errors[0] });
}

export function authorityEndsJob(context: AppContext): Job {
  return { name: 'authority-ends', intervalMs, giveUpMs, run: (signal) => reportEnds(context, signal) };
}
