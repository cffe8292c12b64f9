// Runs a feed now, because somebody asks for it: its next run is brought forward, and a worker takes it as it takes any other.

import { minuteMs, secondMs } from '../../kit/clock.ts';
import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import { authority as authorityResource, connectionOf, type Authority } from '../../model/custody/authority.ts';
import { feedRun, type FeedRun } from '../../model/custody/feed-run.ts';
import type { RefusalCode } from '../../model/refusals/refusals.ts';
import { getRecord, notFound } from '../core/resource.ts';
import { snapshot } from '../core/snapshot.ts';
import { audit, type Work } from '../core/work.ts';
import { lockAuthority } from '../custody/authority.ts';
import { getCustodianSettings } from '../custody/custodian-settings.ts';
import { feedRunRules } from './feed-run.ts';

export const runFeedRefusals = [
  'feed-run-not-found',
  'feed-running',
  'feed-not-possible',
  'feed-just-ran',
] as const satisfies readonly RefusalCode[];

/** A feed is run by hand only when its custodian was not visited for this long. */
export const feedVisitMs = minuteMs;

/** `id` is that of the authority, or of any run of its feed. Returns the run that begins now. */
export async function runFeedNow(work: Work, id: string): Promise<FeedRun> {
  const authority = await lockAuthority(work, await findAuthorityId(work, id));
  const run = await dueRun(work, authority);
  return getRecord(work, feedRunRules, run);
}

async function findAuthorityId({ store }: Work, id: string): Promise<Id> {
  const run = await store.table(feedRun).find(id);
  if (run !== undefined) return run.authority;
  const found = await store.table(authorityResource).find(id);
  if (found === undefined) throw notFound(feedRun);
  return found.id;
}

async function dueRun(work: Work, authority: Authority): Promise<Id> {
  const { now, ids } = work;
  const { feeds } = work.store.custody;
  if (!(await feeds.isFetchable({ authority: authority.id }, now))) throw await notPossible(work, authority);
  const open = await feeds.lockOpen(authority.id);
  if (open?.state === 'running')
    throw new Refusal('feed-running', `The run ${open.id} of this feed is under way. Nothing else was begun.`);
  // Somebody has asked for it already, or it is about to begin anyway.
  if (open !== undefined && open.dueAt <= now) return open.id;
  refuseTooOften(await feeds.findLastAttempt(authority.id), now);
  if (open !== undefined) await feeds.bringForward(open.id, now);
  const run = open?.id ?? (await feeds.openWaiting(authority.id, { id: ids.next(), now }));
  if (run === undefined) throw await notPossible(work, authority);
  const before = snapshot(authorityResource, authority);
  const { id, client: clientId } = authority;
  const after = { ...before, requested_feed_run_id: run };
  audit(work, { act: 'change', type: authorityResource.type, id, clientId, before, after });
  return run;
}

function refuseTooOften(lastAt: number | null, now: number): void {
  if (lastAt === null || lastAt + feedVisitMs <= now) return;
  const seconds = Math.ceil((lastAt + feedVisitMs - now) / secondMs);
  const detail = `The custodian was visited less than a minute ago. Run the feed again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;
  throw new Refusal('feed-just-ran', detail, { retryAfterSeconds: seconds });
}

async function notPossible(work: Work, authority: Authority): Promise<Refusal> {
  return new Refusal('feed-not-possible', await notPossibleDetail(work, authority));
}

async function notPossibleDetail(work: Work, authority: Authority): Promise<string> {
  const connection = connectionOf(authority, work.now);
  switch (connection) {
    case 'none':
      return `The authority is \`${authority.state}\`. Data comes in only while it is \`active\`.`;
    case 'expired':
      return 'The consent has ended. Renew the consent, and the feed goes on where it stopped.';
    case 'broken':
      return `The custodian no longer accepts the consent: ${authority.brokenReason ?? 'it gave no reason.'} Renew the consent, and the feed goes on where it stopped.`;
    case 'connected': {
      const { connector } = await getCustodianSettings(work, authority.custodian);
      return connector === null
        ? 'The custodian has no connector. An administrator sets one in the settings of the custodian.'
        : 'The consent has no credentials, because it was not given on the pages of the custodian. Renew the consent there.';
    }
  }
}
