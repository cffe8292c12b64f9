// Clears away what is over: used assertions, kept answers, retired signing keys, private halves of retired webhook keys,
// mail of invites that are gone, sessions. One workspace at a time.

import { minuteMs } from '../kit/clock.ts';
import type { House } from '../actions/house.ts';
import { mailCountedMs } from '../actions/mail-limits.ts';
import { sessionKeptMs } from '../actions/session.ts';
import { signingKeyKeptMs } from '../actions/token.ts';
import { webhookKeyOverlapMs } from '../actions/webhook-key.ts';
import { everything } from '../model/reach.ts';
import { dropExpired, listEnvironments } from '../store/expiry.ts';

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
    await house.database
      .write(reach, (run) => dropExpired(run, reach, moments))
      .then(
        (count) => (dropped += count),
        (error: unknown) => errors.push(error),
      );
  }
  if (errors.length > 0) throw new Error(`${errors.length} environments could not be cleared.`, { cause: errors[0] });
  return dropped;
}
