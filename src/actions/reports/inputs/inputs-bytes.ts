// Estimates how much memory the inputs of a client take besides the columns of its ledger: the engine's ledger, what was read around it,
// and what reports compute from it on first use and keep. The figures were measured; a test compares them with the heap.

import type { Ledger } from '../../../engine/ledger/ledger.ts';
import type { LoadedInputs } from './build-history.ts';

/** The objects of every client, and of each record it has. */
const clientBytes = 75_000;
const recordBytes = 600;
/** An instrument as the engine knows it, and its entry in the inputs. */
const instrumentBytes = 1_200;
/** A row of the ledger, as lots, units and balances keep it. */
const rowBytes = 100;
/** A position with its units, lots, flows and values, and what is held of it on the day that was needed last. */
const positionBytes = 2_600;
const uploadBytes = 1_000;

export function inputsBytes({ structure, instruments, uploads }: LoadedInputs, ledger: Ledger): number {
  const { accounts, depositories, portfolios, reportingEntities } = structure;
  const recordCount = accounts.size + depositories.size + portfolios.size + reportingEntities.size;
  const rowCount = ledger.chunks.reduce((sum, { day }) => sum + day.length, 0);
  return (
    ledger.bytes() +
    clientBytes +
    recordBytes * recordCount +
    instrumentBytes * instruments.size +
    positionBytes * ledger.positions.length +
    rowBytes * rowCount +
    uploadBytes * uploads.length
  );
}
