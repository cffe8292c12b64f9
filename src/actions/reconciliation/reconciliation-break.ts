// The breaks that rounds have found: read and listed, noted, accepted and opened again by people, and stored by rounds.

import { toDayNumber } from '../../kit/calendar-date.ts';
import type { Id } from '../../kit/id.ts';
import { Refusal, refusalForFaults } from '../../kit/refusal.ts';
import type { AnyChange, ChangeOf } from '../../kit/resource.ts';
import { reconciliationBreak, type ReconciliationBreak } from '../../model/custody/reconciliation-break.ts';
import type { AcceptedBreak, FoundBreak } from '../../store/custody/reconciliation-breaks.ts';
import type { TakenRound } from '../../store/queues/round-queue.ts';
import type { ChangeRules } from '../core/resource.ts';
import type { Work } from '../core/work.ts';
import { dayOfMoment } from '../reports/report-day.ts';

/** Stores what a round has found: breaks that are gone are closed, and those that came back are opened again. */
export async function putBreaks(work: Work, { id, client }: TakenRound, breaks: readonly FoundBreak[]): Promise<void> {
  const table = work.store.reconciliationBreaks;
  if (breaks.length === 0 && !(await table.hasUnclosed(client))) return;
  const identified = breaks.map((one) => ({ ...one, id: work.ids.next() }));
  await table.put(identified, { client, round: id, now: work.now });
}

function acceptanceKey(one: AcceptedBreak): string {
  const { account, depository, aspect, subject, class: found, difference } = one;
  return JSON.stringify([account, depository, aspect, subject, found, difference]);
}

/** Those that nobody has accepted up to a moment. An acceptance is about one difference of one class. */
export async function withoutAccepted(
  { store }: Work,
  client: Id,
  breaks: readonly FoundBreak[],
  until: number,
): Promise<readonly FoundBreak[]> {
  if (breaks.length === 0) return [];
  const accepted = new Set((await store.reconciliationBreaks.listAccepted(client, until)).map(acceptanceKey));
  return breaks.filter((one) => !accepted.has(acceptanceKey(one)));
}

export async function countNotAccepted(work: Work, client: Id, breaks: readonly FoundBreak[]): Promise<number> {
  return (await withoutAccepted(work, client, breaks, work.now)).length;
}

function showBreak({ context, now }: Work, record: ReconciliationBreak): ReconciliationBreak {
  const last = dayOfMoment(record.closedAt ?? now, context.timeZone);
  return { ...record, ageDays: Math.max(0, last - toDayNumber(record.firstDate)) };
}

async function changeBreak(
  work: Work,
  present: ReconciliationBreak,
  { state, note }: ChangeOf<typeof reconciliationBreak>,
): Promise<AnyChange> {
  const noted: AnyChange = note === undefined ? {} : { note };
  if (state === undefined) return noted;
  if (state === 'closed') {
    const detail = 'A break closes by itself when both sides agree. Send `accepted` to accept the difference.';
    throw refusalForFaults('invalid-document', [{ code: 'invalid-attribute', detail, field: 'state' }]);
  }
  if (present.state === 'closed') {
    throw new Refusal(
      'break-closed',
      'The break is closed, because the difference is gone. Only its note can be changed.',
    );
  }
  const isAccepted = state === 'accepted';
  return {
    ...noted,
    state,
    acceptedBy: isAccepted ? work.subject : null,
    acceptedAt: isAccepted ? new Date(work.now) : null,
  };
}

export const reconciliationBreakRules: ChangeRules<typeof reconciliationBreak> = {
  resource: reconciliationBreak,
  refusals: ['break-closed'],
  show: async (work, records) => records.map((record) => showBreak(work, record)),
  change: changeBreak,
};
