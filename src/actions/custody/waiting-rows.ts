// Books the rows of feeds that waited for accounts which have just been connected: at once where they are few, in the background otherwise.

import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { BookedRows } from '../../model/custody/consent-account.ts';
import type { Tenant } from '../../model/access/scope.ts';
import type { AppContext } from '../core/context.ts';
import { openReadWork, runInTransaction, serviceAuthor, type Work } from '../core/work.ts';
import { bookImport } from '../imports/book-import.ts';

/** Up to this many waiting rows, in up to this many imports, are booked within the request that connects their accounts. */
const atOnceMax = { rows: 5_000, imports: 50 };

/** Imports that are looked up together. */
const importsAtATime = 100;
/** Authorities of a tenant that are served in one round; the others follow. */
const authoritiesAtATime = 100;

const noInstruments = { createsInstruments: false, allowsCashAlone: true } as const;

/** Books within this unit of work if the rows are few; otherwise leaves them to the background. */
export async function bookWaitingRows(work: Work, authority: Id): Promise<BookedRows> {
  const { consentAccounts } = work.store.custody;
  const listed = await consentAccounts.listWaitingImports(authority, { after: '', limit: atOnceMax.imports + 1 });
  const imports = listed.filter(({ rows }) => rows > 0);
  const total = imports.reduce((sum, { rows }) => sum + rows, 0);
  if (listed.length > atOnceMax.imports || total > atOnceMax.rows) {
    await consentAccounts.requestBooking(authority);
    return { state: 'under-way', imports: 0, booked: 0, waiting: total };
  }
  let [booked, waiting] = [0, 0];
  for (const { id } of imports) {
    const before = await work.store.importRows.countOutcomes(id);
    await bookImport(work, id, noInstruments);
    const after = await work.store.importRows.countOutcomes(id);
    booked += before.needs + before.refused - after.needs - after.refused;
    waiting += after.needs;
  }
  return { state: 'done', imports: imports.length, booked, waiting };
}

/**
 * Goes on with what was left to the background, each import in a transaction of its own. A node that stops in between leaves the rest to
 * the next one; two nodes that do the same wait for each other at each import, and the second finds nothing left to book. An import whose
 * booking fails here is passed over, so that those behind it are booked; its rows still wait.
 */
export async function bookRequestedRows(context: AppContext, tenant: Tenant, signal: AbortSignal): Promise<number> {
  const author = serviceAuthor(tenant);
  const { consentAccounts } = openReadWork(context, author).store.custody;
  const errors: unknown[] = [];
  let count = 0;
  for (const { id: authority, after } of await consentAccounts.listRequested(authoritiesAtATime)) {
    for (let from = after; !signal.aborted;) {
      const listed = await consentAccounts.listWaitingImports(authority, { after: from, limit: importsAtATime });
      const next = listed.find(({ rows }) => rows > 0);
      const to = next?.id ?? (listed.length < importsAtATime ? null : (listed.at(-1)?.id ?? null));
      const moveOn = (task: (work: Work) => Promise<void>): Promise<boolean> =>
        runInTransaction(context, author, async (work) => {
          await task(work);
          return work.store.custody.consentAccounts.moveBooking(authority, { from, to });
        });
      const isOurs = await moveOn(async (work) => {
        if (next !== undefined) await bookUnlessGone(work, next.id);
      }).catch((error: unknown) => {
        errors.push(error);
        return moveOn(async () => {});
      });
      if (next !== undefined) count++;
      if (!isOurs || to === null) break;
      from = to;
    }
  }
  if (errors.length > 0) throw new Error(`${errors.length} imports could not be booked again.`, { cause: errors[0] });
  return count;
}

/** An import may have been undone or deleted since it was listed. */
async function bookUnlessGone(work: Work, id: Id): Promise<void> {
  try {
    await bookImport(work, id, noInstruments);
  } catch (error) {
    if (!(error instanceof Refusal) || !['import-not-found', 'import-not-possible'].includes(error.code)) throw error;
  }
}
