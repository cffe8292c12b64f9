// Makes one attempt at a feed run: fetches page after page through the connector and books each, together with the mark that it leads to.

import type { Id } from '../../kit/id.ts';
import { quotaRefusals } from '../imports/import-quota.ts';
import { Refusal } from '../../kit/refusal.ts';
import { authority } from '../../model/custody/authority.ts';
import { ConnectorFailure, type FetchedFile, type FetchedPage } from '../../model/custody/connector.ts';
import type { Import } from '../../model/custody/import.ts';
import type { StatementItem } from '../../model/custody/statement.ts';
import type { TakenFeedRun } from '../../store/queues/feed-queue.ts';
import type { AppContext } from '../core/context.ts';
import { runInTransaction, serviceAuthor, type Work } from '../core/work.ts';
import { CredentialsReplaced, openAccess, type OpenedAccess } from '../custody/connector-access.ts';
import { askForAccounts, keepListedAccounts } from '../custody/consent-accounts.ts';
import { importFile } from '../imports/import-file.ts';
import { ImportWriter } from '../imports/import-writer.ts';
import type { FeedOutcome, LeasedFeedRun } from './feed-run.ts';

/** Pages are booked together until they have this many items. */
const itemsPerImport = 1_000;

/** A file that ended as many attempts, or stopped as many nodes, is parked. */
const fileTrialsMax = 2;

/**
 * Another node has the run, or the authority no longer lets in what this attempt was about to book: it is not committed. The next attempt
 * finds out what holds now.
 */
class Overtaken extends Error {}

/** The transaction of a batch, with what the authority covered when it began. */
interface CoveredWork extends Work, Coverage {}

interface Coverage {
  readonly coveredAccounts: ReadonlySet<Id>;
  readonly coveredDepositories: ReadonlySet<Id>;
}

/** Pages that were fetched and not booked yet. */
interface FetchedBatch {
  readonly items: readonly StatementItem[];
  readonly mark: string;
  readonly file?: FetchedFile | undefined;
}

/** What became of a batch. */
interface ImportedBatch {
  readonly imports: readonly Import[];
  /** How many items it had, those of the file among them. */
  readonly fetched: number;
}

/** What is booked stays booked however the attempt ends, and the next one goes on from there. */
export async function fetchFeed(context: AppContext, lease: LeasedFeedRun, signal: AbortSignal): Promise<FeedOutcome> {
  const { tenant, run } = lease;
  let opened: OpenedAccess | undefined;
  try {
    opened = await openAccess(context, { tenant, authority: run.authority, signal, purpose: 'feed' });
    if (opened === undefined)
      return { kind: 'failed', error: 'unavailable', detail: `This service runs no connector ${run.connector} now.` };
    await bookPages(context, lease, opened.connector.fetchSince(opened.access, { mark: run.toMark }), signal);
    if (!signal.aborted) await listAccounts(context, lease, opened);
    return { kind: signal.aborted ? 'stopped' : 'finished' };
  } catch (error) {
    const isOvertaken = error instanceof Overtaken || error instanceof CredentialsReplaced;
    if (signal.aborted || isOvertaken) return { kind: 'stopped' };
    if (error instanceof ConnectorFailure && opened !== undefined) return failedOutcome(error, opened);
    if (error instanceof Refusal && quotaRefusals.some((code) => code === error.code))
      return { kind: 'failed', error: 'quota-reached', detail: error.message };
    throw error;
  }
}

/** What the consent is for may change at any time. A custodian that lists nothing has sent its data all the same. */
async function listAccounts(context: AppContext, { tenant, run }: LeasedFeedRun, opened: OpenedAccess): Promise<void> {
  const accounts = await askForAccounts(opened.connector, opened.access);
  if (accounts !== undefined) await keepListedAccounts(context, { tenant, authority: run.authority }, accounts);
}

function failedOutcome({ kind, message: detail }: ConnectorFailure, { credentials }: OpenedAccess): FeedOutcome {
  switch (kind) {
    case 'unavailable':
    case 'invalid-answer':
      return { kind: 'failed', error: kind, detail };
    case 'credentials-broken':
    case 'address-changed':
    case 'consent-refused':
      return { kind: 'failed', error: 'credentials-broken', detail, credentials };
  }
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
    if (batch !== undefined) await bookBatch(context, lease, batch, signal);
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

/** Commits what was fetched and the new mark together: a crash neither doubles nor loses anything. */
async function bookBatch(
  context: AppContext,
  lease: LeasedFeedRun,
  batch: FetchedBatch,
  signal: AbortSignal,
): Promise<void> {
  const { tenant, run } = lease;
  const { items, file, mark } = batch;
  const book = (importAll: (work: CoveredWork) => Promise<ImportedBatch>): Promise<void> =>
    runInTransaction(context, serviceAuthor(tenant), async (work) => {
      const covered = await listCovered(work, run);
      const { imports, fetched } = await importAll({ ...work, ...covered });
      await requireCovered(work, run, covered);
      const importIds = imports.map(({ id }) => id);
      if (!(await work.store.custody.feeds.advance(run, { mark, fetched, importIds }))) throw new Overtaken();
    });
  /** The file as a whole cannot be imported: a row says why, and the feed goes on. */
  const bookProblem = async (detail: string): Promise<void> => {
    const all: readonly StatementItem[] = [...items, { item: 'problem', place: { line: 1 }, detail }];
    await book(async (work) => ({ imports: [await importItems(work, run, all)], fetched: all.length }));
  };
  if (file !== undefined && (await beginFile(context, lease, file)) > fileTrialsMax)
    return bookProblem(parkedDetail(file));
  try {
    await book(async (work) => {
      const ofItems = items.length === 0 ? [] : [await importItems(work, run, items)];
      const ofFile = file === undefined ? [] : [await importDropped(work, run, file)];
      return { imports: [...ofItems, ...ofFile], fetched: items.length + (ofFile[0]?.rowCount ?? 0) };
    });
  } catch (error) {
    if (file === undefined) throw error;
    if (isFileFault(error)) return bookProblem(`${file.name}: ${error.message}`);
    if (signal.aborted || isOfElsewhere(error)) await takeBackTrial(context, lease);
    throw error;
  }
}

/** Committed before the file is read: a node that it stops can count nothing afterwards. */
async function beginFile(context: AppContext, { tenant, run }: LeasedFeedRun, file: FetchedFile): Promise<number> {
  const trials = await context.stores.forWriting(serviceAuthor(tenant), ({ custody }) =>
    custody.feeds.beginFile(run, file.digest),
  );
  if (trials === undefined) throw new Overtaken();
  return trials;
}

/** If the database cannot be reached, the trial counts. */
async function takeBackTrial(context: AppContext, { tenant, run }: LeasedFeedRun): Promise<void> {
  await context.stores
    .forWriting(serviceAuthor(tenant), ({ custody }) => custody.feeds.takeBackTrial(run))
    .catch(() => {});
}

function parkedDetail({ name }: FetchedFile): string {
  return `${name}: reading this file ended in an internal error, or stopped the service, ${fileTrialsMax} times. It is not read again, and nothing of it was booked. To try it again, send it again.`;
}

/** Neither a fault of the file nor a defect in reading it: such as a database that is away, or a workspace that was suspended. */
function isOfElsewhere(error: unknown): boolean {
  return error instanceof Overtaken || error instanceof Refusal || error instanceof ConnectorFailure;
}

/** The sender's fault, which trying again does not mend. */
function isFileFault(error: unknown): error is Refusal {
  return error instanceof Refusal && ['unreadable-file', 'unknown-file-format'].includes(error.code);
}

async function importItems(work: CoveredWork, run: TakenFeedRun, items: readonly StatementItem[]): Promise<Import> {
  const { client, custodian, connector } = run;
  const source = { client, custodian, origin: 'feed', mode: 'book', format: connector } as const;
  // Nobody is there to be asked: what waits is listed as such.
  const options = { allowsCashAlone: true } as const;
  const { coveredAccounts, coveredDepositories } = work;
  const writer = await ImportWriter.open(work, { ...source, ...options, coveredAccounts, coveredDepositories });
  await writer.add(items);
  return writer.finish();
}

async function importDropped(work: CoveredWork, run: TakenFeedRun, file: FetchedFile): Promise<Import> {
  const { client, custodian } = run;
  return importFile(work, {
    coveredAccounts: work.coveredAccounts,
    coveredDepositories: work.coveredDepositories,
    client,
    custodian,
    account: null,
    depository: null,
    format: null,
    profile: null,
    fileName: file.name,
    digest: file.digest,
    mode: 'book',
    createsInstruments: false,
    allowsCashAlone: true,
    chunks: () => file.read(),
  });
}

/** Read with every batch: accounts may be linked and unlinked while a run goes on. */
async function listCovered({ store }: Work, { authority: id }: TakenFeedRun): Promise<Coverage> {
  const { links } = store.custody;
  const [accounts, depositories] = await Promise.all([
    links.listCovered('account', id),
    links.listCovered('depository', id),
  ]);
  return { coveredAccounts: new Set(accounts), coveredDepositories: new Set(depositories) };
}

/**
 * Locks the authority until the commit, and throws if it was revoked, has ended, or has lost an account since the batch was begun: whoever
 * was told so finds nothing booked afterwards.
 */
async function requireCovered(
  work: Work,
  run: TakenFeedRun,
  { coveredAccounts, coveredDepositories }: Coverage,
): Promise<void> {
  const { store, context } = work;
  await store.table(authority).lock(run.authority, 'to-change');
  const isFetchable = await store.custody.feeds.isFetchable(run, context.clock.now());
  const present = await listCovered(work, run);
  const isCovered =
    coveredAccounts.isSubsetOf(present.coveredAccounts) && coveredDepositories.isSubsetOf(present.coveredDepositories);
  if (!isFetchable || !isCovered) throw new Overtaken();
}
