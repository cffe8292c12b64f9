// Chooses how the body of a response is compressed, and compresses it off the event loop.

import { promisify } from 'node:util';
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  zstdCompress,
} from 'node:zlib';
import type { Transform } from 'node:stream';
import { qualityIn, readRanges } from './media-types.ts';

/** The best first. */
const encodings = ['zstd', 'br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

/** Shorter bodies fit into one packet anyway. */
export const encodedLengthMin = 1_024;

const cachedChoices = new Map<string, Encoding | undefined>();

/** Returns undefined if the body is to be sent as it is. */
export function chooseEncoding(acceptEncoding: string | undefined): Encoding | undefined {
  if (acceptEncoding === undefined || acceptEncoding === '') return undefined;
  if (cachedChoices.has(acceptEncoding)) return cachedChoices.get(acceptEncoding);
  const chosen = bestEncoding(acceptEncoding);
  if (cachedChoices.size < 1_000) cachedChoices.set(acceptEncoding, chosen);
  return chosen;
}

function bestEncoding(acceptEncoding: string): Encoding | undefined {
  const ranges = readRanges(acceptEncoding);
  const qualityOf = (name: string): number | undefined => qualityIn(ranges, name) ?? qualityIn(ranges, '*');
  const best = encodings.reduce((one, other) => ((qualityOf(other) ?? 0) > (qualityOf(one) ?? 0) ? other : one));
  const quality = qualityOf(best) ?? 0;
  return quality > 0 && quality >= (qualityIn(ranges, 'identity') ?? 0) ? best : undefined;
}

/** `quick` for answers that are made once; `thorough` for texts that are kept. */
type Effort = 'quick' | 'thorough';

const levels = {
  quick: { zstd: 3, br: 4, gzip: 6 },
  thorough: { zstd: 15, br: 9, gzip: 9 },
} as const satisfies Record<Effort, Record<Encoding, number>>;

function zstdOptions(effort: Effort) {
  return { params: { [constants.ZSTD_c_compressionLevel]: levels[effort].zstd } };
}

function brotliOptions(effort: Effort) {
  return { params: { [constants.BROTLI_PARAM_QUALITY]: levels[effort].br } };
}

const compressors = {
  zstd: (bytes, effort) => promisify(zstdCompress)(bytes, zstdOptions(effort)),
  br: (bytes, effort) => promisify(brotliCompress)(bytes, brotliOptions(effort)),
  gzip: (bytes, effort) => promisify(gzip)(bytes, { level: levels[effort].gzip }),
} as const satisfies Record<Encoding, (bytes: Uint8Array, effort: Effort) => Promise<Uint8Array>>;

export function compress(bytes: Uint8Array, encoding: Encoding, effort: Effort = 'quick'): Promise<Uint8Array> {
  return compressors[encoding](bytes, effort);
}

/** Compresses a stream, and passes on each piece at once instead of waiting for more. */
export function createCompressor(encoding: Encoding): Transform {
  if (encoding === 'zstd') return createZstdCompress({ ...zstdOptions('quick'), flush: constants.ZSTD_e_flush });
  if (encoding === 'br')
    return createBrotliCompress({ ...brotliOptions('quick'), flush: constants.BROTLI_OPERATION_FLUSH });
  return createGzip({ level: levels.quick.gzip, flush: constants.Z_SYNC_FLUSH });
}
