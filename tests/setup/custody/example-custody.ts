// Stores a finished run of an authority's feed, for tests over all operations.

import { runInTransaction, serviceAuthor } from '../../../src/actions/core/work.ts';
import { feedRun } from '../../../src/model/custody/feed-run.ts';
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
