// Deletes the deliveries that deleted webhooks have left, whichever node deleted these: some at a time, so that nobody waits.

import { minuteMs } from '../kit/clock.ts';
import type { AppContext } from '../actions/core/context.ts';
import { serviceAuthor } from '../actions/core/work.ts';
import type { LeftoverWebhook } from '../store/events/leftover-deliveries.ts';
import { dropInBatches } from './expiry.ts';
import type { Job } from './scheduler.ts';

const intervalMs = 10 * minuteMs;
const giveUpMs = 60 * minuteMs;
/** A pass finds the first of several deleted webhooks that follow each other, and the next one the second. The next run goes on. */
const passesMax = 100;

/** Returns how many were deleted. A webhook that fails does not keep others from being cleared. */
export async function deleteLeftoverDeliveries(context: AppContext, signal?: AbortSignal): Promise<number> {
  const errors: unknown[] = [];
  let deletedCount = 0;
  for (let pass = 0; pass < passesMax && errors.length === 0; pass++) {
    let deletedInPass = 0;
    for (const one of await context.stores.preAuth.dueTenants.withLeftoverDeliveries()) {
      if (signal?.aborted === true) return deletedCount;
      const count = deleteOf(context, one, signal);
      deletedInPass += await count.catch((error: unknown) => (errors.push(error), 0));
    }
    deletedCount += deletedInPass;
    if (deletedInPass === 0) break;
  }
  if (errors.length > 0)
    throw new Error(`Deliveries of ${errors.length} deleted webhooks could not be deleted.`, { cause: errors[0] });
  return deletedCount;
}

function deleteOf(context: AppContext, leftover: LeftoverWebhook, signal: AbortSignal | undefined): Promise<number> {
  const author = serviceAuthor(leftover);
  return dropInBatches(
    () => context.stores.forWriting(author, (store) => store.deliveries.dropLeftovers(leftover.webhook)),
    signal,
  );
}

export function leftoverDeliveriesJob(context: AppContext): Job {
  return {
    name: 'leftover-deliveries',
    intervalMs,
    giveUpMs,
    run: (signal) => deleteLeftoverDeliveries(context, signal),
  };
}
