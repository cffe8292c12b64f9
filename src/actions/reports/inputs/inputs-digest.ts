// Digests everything that a client's figures are computed from: the same inputs have the same digest, whether they were read as
// known now or as known at a past moment, by any node.

import type { Pieces } from '../../../kit/turns/pieces.ts';
import { rowsDigest } from '../../../store/ledger/row-digest.ts';
import type { LoadedInputs } from './build-history.ts';
import { digest, digestedOnce, seriesDigest } from './digest.ts';
import type { VersionedInstrument } from './market-data-cache.ts';

/** When something was recorded is no input: the same data that is recorded elsewhere has the same digest. */
const momentField = 'createdAt';

/** Maps and sets are written as lists, in their own order, which is that of ids. */
function jsonText(value: unknown): string {
  return JSON.stringify(value, (key, one) => {
    if (key === momentField) return undefined;
    return one instanceof Map || one instanceof Set ? [...one] : one;
  });
}

const recordDigest = digestedOnce((record: object) => digest(jsonText(record)));

/** Sending an upload again with the same content changes nothing but the moment. */
const uploadsDigest = digestedOnce((uploads: LoadedInputs['uploads']) =>
  digest(jsonText(uploads.map(({ knownFrom: _knownFrom, ...upload }) => upload))),
);

function instrumentDigest({ instrument, series }: VersionedInstrument): string {
  const kinds = Object.entries(series).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return [recordDigest(instrument), ...kinds.map(([kind, points]) => `${kind} ${seriesDigest(points)}`)].join(' ');
}

/** Yields between its parts. Covers every member of the inputs, so that none can be forgotten. */
export function* inputsDigest({ pieces, uploads, instruments, rates, ...records }: LoadedInputs): Pieces<string> {
  const parts = [yield* rowsDigest(pieces), uploadsDigest(uploads), rates.digest];
  yield;
  for (const [name, record] of Object.entries(records)) parts.push(`${name} ${recordDigest(record)}`);
  for (const [id, instrument] of instruments) parts.push(`${id} ${instrumentDigest(instrument)}`);
  return digest(parts.join('\n'));
}
