// Stores a finished run of an authority's feed, and lets the feed run, for tests over all operations.

import { runInTransaction, serviceAuthor } from '../../../src/actions/core/work.ts';
import type { Id } from '../../../src/kit/id.ts';
import type { ConnectorAccount } from '../../../src/model/custody/connector.ts';
import { feedRun } from '../../../src/model/custody/feed-run.ts';
import { custodianSettings } from '../../../src/model/structure/custodian.ts';
import { tenantOf } from '../events/event-source.ts';
import type { Caller } from '../http/caller.ts';
import { contextAt } from '../limits/rounds.ts';

interface Owner {
  readonly client: string;
  readonly custodian: string;
}

export async function makeFeedRun(
  caller: Caller,
  { client, custodian, authority: of }: Owner & { readonly authority: string },
): Promise<string> {
  const context = contextAt(caller.address);
  const at = new Date(context.clock.now());
  return runInTransaction(context, serviceAuthor(await tenantOf(caller)), async ({ store, ids }) => {
    const times = { dueAt: at, startedAt: at, finishedAt: at, attempts: 1, fromMark: '480', toMark: '512' };
    const fields = { client, custodian, authority: of, connector: 'oauth-pull', state: 'finished', ...times };
    return (await store.table(feedRun).insert(ids.next(), fields)).id;
  });
}

/** Gives the custodian of a run a connector, so that its feed can run again. */
export async function letFeedRun(caller: Caller, run: string): Promise<void> {
  const context = contextAt(caller.address);
  await runInTransaction(context, serviceAuthor(await tenantOf(caller)), async ({ store }) => {
    const found = await store.table(feedRun).find(run);
    if (found !== undefined) await store.table(custodianSettings).update(found.custodian, { connector: 'file-drop' });
  });
}

/** What a custodian lists for a consent: an account and a depository. */
export async function listExampleAccounts(caller: Caller, authority: string): Promise<void> {
  const context = contextAt(caller.address);
  const listed: readonly ConnectorAccount[] = [
    { kind: 'account', number: 'CH5604835012345678009', name: 'Savings', currency: 'CHF' },
    { kind: 'depository', number: 'D-204418', name: 'Custody', currency: null },
  ];
  await runInTransaction(context, serviceAuthor(await tenantOf(caller)), async ({ store, now }) =>
    store.custody.consentAccounts.saveListed(authority as Id, listed, now),
  );
}
