// Clears away what is over: used assertions, kept answers, retired signing keys, private halves of retired webhook keys, old events,
// mail of invites that are gone, sessions. One workspace at a time.

import { minuteMs } from '../kit/clock.ts';
import type { House } from '../actions/core/context.ts';
import { mailCountedMs } from '../actions/people/mail-limits.ts';
import { sessionKeptMs } from '../actions/access/session.ts';
import { signingKeyKeptMs } from '../actions/access/token.ts';
import { webhookKeyOverlapMs } from '../actions/events/webhook-key.ts';
import { everything, type Reach } from '../model/access/scope.ts';
import { dropOldEvents } from '../store/events/event-retention.ts';
import { dropExpired, listEnvironments } from '../store/access/expiry.ts';

export const expiryEveryMs = 10 * minuteMs;

/** How many rows were dropped or emptied. A workspace that cannot be cleared keeps no other from it. */
export async function clearExpired(house: House): Promise<number> {
  const now = house.clock.now();
  const errors: unknown[] = [];
  let dropped = 0;
  for (const tenant of await listEnvironments(house.database)) {
    const reach = { ...tenant, sight: everything, credentialId: null };
    const moments = {
      now,
      signingKeysBefore: now - signingKeyKeptMs,
      webhookKeysBefore: now - webhookKeyOverlapMs,
      mailsBefore: now - mailCountedMs,
      sessionsBefore: now - sessionKeptMs,
    };
    const clear = async (): Promise<void> => {
      dropped += await house.database.write(reach, (run) => dropExpired(run, reach, moments));
      dropped += await clearOldEvents(house, reach);
    };
    await clear().catch((error: unknown) => errors.push(error));
  }
  if (errors.length > 0) throw new Error(`${errors.length} environments could not be cleared.`, { cause: errors[0] });
  return dropped;
}

/** In so many transactions at most, each of them short: what is left then is dropped the next time. */
const eventBatchesMax = 200;

async function clearOldEvents(house: House, reach: Reach): Promise<number> {
  const before = house.clock.now() - house.eventsKeptMs;
  let dropped = 0;
  for (let batch = 0, isMore = true; isMore && batch < eventBatchesMax; batch++) {
    const some = await house.database.write(reach, (run) => dropOldEvents(run, reach, before));
    dropped += some.count;
    isMore = some.isMore;
  }
  return dropped;
}
