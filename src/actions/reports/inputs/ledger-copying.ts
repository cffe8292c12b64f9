// Writes packed copies of large ledgers that were read row by row, for nodes that read them next.

import { packLedger } from '../../../store/ledger/packed-ledger.ts';
import type { UncopiedLedger } from '../../../store/ledger/ledger-columns.ts';
import { serviceAuthor, type Work } from '../../core/work.ts';

/** No answer waits for a copy or fails with it: what is not written now is written when the rows are read the next time. */
export function copyLater(work: Work, ledgers: readonly UncopiedLedger[]): void {
  if (ledgers.length > 0) void writeCopies(work, ledgers).catch(() => work.context.figures.add('ledger-copies/failed'));
}

/** One after the other: the packed bytes of one ledger at a time are in memory. */
async function writeCopies({ context, store }: Work, ledgers: readonly UncopiedLedger[]): Promise<void> {
  for (const { client, account, ledger } of ledgers) {
    const packed = await packLedger(ledger);
    const copy = { ...packed, client, account, version: ledger.version };
    await context.stores.forWriting(serviceAuthor(store.scope), (writing) => writing.ledgerCopies.put(copy));
    context.figures.add('ledger-copies/written');
  }
}
