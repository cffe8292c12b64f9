// Makes one attempt at a feed run: fetches page after page through the connector and books each, together with the mark that it leads to.

import type { Id } from '../../kit/id.ts';
import { ConnectorFailure, type FetchedFile, type FetchedPage } from '../../model/custody/connector.ts';
import type { StatementItem } from '../../model/custody/statement.ts';
import type { AppContext } from '../core/context.ts';
import { runInTransaction, serviceAuthor, type Work } from '../core/work.ts';
import { openAccess } from '../custody/connector-access.ts';
import { ImportWriter } from '../imports/import-writer.ts';
import type { FeedOutcome, LeasedFeedRun } from './feed-run.ts';

/** Pages are booked together until they have this many items. */
const itemsPerImport = 5_000;

/** Another node has the run: what this one was about to book is not committed. */
class LeaseLost extends Error {}

/** Pages that were fetched and not booked yet. */
interface FetchedBatch {
  readonly items: readonly StatementItem[];
  readonly mark: string;
  readonly file?: FetchedFile | undefined;
}

/** What is booked stays booked however the attempt ends, and the next one goes on from there. */
export async function fetchFeed(context: AppContext, lease: LeasedFeedRun, signal: AbortSignal): Promise<FeedOutcome> {
  const { tenant, run } = lease;
  try {
    const opened = await openAccess(context, { tenant, authority: run.authority, signal, purpose: 'feed' });
    if (opened === undefined)
      return { kind: 'failed', error: 'unavailable', detail: `This service runs no connector ${run.connector} now.` };
    await bookPages(context, lease, opened.connector.fetchSince(opened.access, { mark: run.toMark }), signal);
    return { kind: signal.aborted ? 'stopped' : 'finished' };
  } catch (error) {
    if (signal.aborted || error instanceof LeaseLost) return { kind: 'stopped' };
    if (error instanceof ConnectorFailure) return { kind: 'failed', error: feedErrorOf(error), detail: error.message };
    throw error;
  }
}

function feedErrorOf({ kind }: ConnectorFailure): 'credentials-broken' | 'unavailable' | 'invalid-answer' {
  return kind === 'consent-refused' ? 'credentials-broken' : kind;
}

/** Books what was fetched even if the custodian fails on the way. */
async function bookPages(
  context: AppContext,
  lease: LeasedFeedRun,
  pages: AsyncIterable<FetchedPage>,
  signal: AbortSignal,
): Promise<void> {
  let batch: FetchedBatch | undefined;
  const flush = async (): Promise<void> => {
    if (batch !== undefined) await bookBatch(context, lease, batch);
    batch = undefined;
  };
  try {
    for await (const { items, mark, file } of pages) {
      if (signal.aborted) return;
      batch = { items: [...(batch?.items ?? []), ...items], mark, file };
      if (file !== undefined || batch.items.length >= itemsPerImport) await flush();
    }
  } catch (error) {
    if (error instanceof ConnectorFailure && !signal.aborted) await flush();
    throw error;
  }
  if (!signal.aborted) await flush();
}

/** Commits what the items lead to and the new mark together: a crash neither doubles nor loses anything. */
async function bookBatch(context: AppContext, { tenant, run }: LeasedFeedRun, batch: FetchedBatch): Promise<void> {
  await runInTransaction(context, serviceAuthor(tenant), async (work) => {
    const { importId, fetched } = await importBatch(work, { tenant, run }, batch);
    if (!(await work.store.feeds.advance(run, { mark: batch.mark, fetched, importId }))) throw new LeaseLost();
  });
}

async function importBatch(
  work: Work,
  { run }: LeasedFeedRun,
  { items, file }: FetchedBatch,
): Promise<{ readonly importId: Id | null; readonly fetched: number }> {
  if (items.length === 0 && file === undefined) return { importId: null, fetched: 0 };
  const writer = await ImportWriter.open(work, {
    client: run.client,
    origin: 'feed',
    mode: 'book',
    format: file?.format ?? run.connector,
    fileName: file?.name ?? null,
    custodian: run.custodian,
  });
  let fetched = items.length;
  if (items.length > 0) await writer.add(items);
  if (file !== undefined) {
    for await (const part of file.read()) {
      fetched += part.length;
      await writer.add(part);
    }
  }
  await writer.finish();
  return { importId: writer.record.id, fetched };
}
