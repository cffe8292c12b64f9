// Compares what a receiver got with what the service says has happened: all of it, in that order, and again only what an
// interrupted sender had not recorded.

import { unrecordedMax } from '../../../src/actions/events/delivery-run.ts';

export interface OrderFindings {
  readonly missing: number;
  readonly unknown: number;
  /** Events that arrived for the first time after a later one. */
  readonly disordered: number;
  readonly repeated: number;
  /** Repeated after more later events than a node that dies may have left unrecorded. */
  readonly repeatedFar: number;
}

/** Both name transactions of one account: as they were booked, and as their events arrived. */
export function compareOrder(happened: readonly string[], received: readonly string[]): OrderFindings {
  const places = new Map(happened.map((id, place) => [id, place]));
  const seen = new Set<string>();
  let [unknown, disordered, repeated, repeatedFar, last] = [0, 0, 0, 0, -1];
  for (const id of received) {
    const place = places.get(id);
    if (place === undefined) unknown++;
    else if (seen.has(id)) {
      repeated++;
      if (place <= last - unrecordedMax) repeatedFar++;
    } else {
      seen.add(id);
      if (place < last) disordered++;
      last = Math.max(last, place);
    }
  }
  return { missing: happened.length - seen.size, unknown, disordered, repeated, repeatedFar };
}
