// Packs all rows of an account's ledger into bytes, and unpacks them. Goes block by block and compresses outside the event loop, so that
// no step of it takes long.

import { promisify } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import type { LiveBlock } from './ledger-block.ts';
import { ledgerOfBlocks, ledgerRowCount, type AccountLedger, type Sides } from './account-ledger.ts';

/** Raised whenever the blocks change their shape: copies of other formats are not read. */
export const packedFormat = 2;

export interface PackedLedger {
  readonly bytes: Buffer;
  /** How many rows of the account it has. */
  readonly rowCount: number;
}

/** Damaged bytes are noticed when they are decompressed. */
const compression = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };

const [compress, decompress] = [promisify(zstdCompress), promisify(zstdDecompress)];

export async function packLedger(ledger: AccountLedger): Promise<PackedLedger> {
  const pack = async (blocks: readonly LiveBlock[]): Promise<Buffer[]> => {
    const packed: Buffer[] = [];
    for (const block of blocks) packed.push(await compress(serialize(block), compression));
    return packed;
  };
  const sides: Sides<readonly Buffer[]> = { own: await pack(ledger.own), counter: await pack(ledger.counter) };
  return { bytes: serialize(sides), rowCount: ledgerRowCount(ledger) };
}

export async function unpackLedger(version: number, bytes: Uint8Array): Promise<AccountLedger> {
  const unpack = async (packed: readonly Uint8Array[]): Promise<LiveBlock[]> => {
    const blocks: LiveBlock[] = [];
    for (const block of packed) blocks.push(deserialize(await decompress(block)));
    return blocks;
  };
  const sides: Sides<readonly Uint8Array[]> = deserialize(bytes);
  return ledgerOfBlocks(version, { own: await unpack(sides.own), counter: await unpack(sides.counter) });
}
