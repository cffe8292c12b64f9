// Gives all entries of a ZIP archive one fixed time, so that the same files are the same bytes.

import { assert } from '../../../kit/assert.ts';

const centralSignature = 0x02014b50;
const endSignature = 'PK\u0005\u0006';
/** 1 January 1980, midnight: the first that ZIP knows. */
const fixedTime = 0x00210000;

/** Changes the archive itself. */
export function fixZipTimes(archive: Buffer): Buffer {
  const end = archive.lastIndexOf(endSignature);
  assert(end >= 0, 'a ZIP archive has an end');
  const count = archive.readUInt16LE(end + 10);
  let at = archive.readUInt32LE(end + 16);
  for (let entry = 0; entry < count; entry++) {
    assert(archive.readUInt32LE(at) === centralSignature, 'the directory of a ZIP archive lists all its entries');
    archive.writeUInt32LE(fixedTime, at + 12);
    archive.writeUInt32LE(fixedTime, archive.readUInt32LE(at + 42) + 10);
    at += 46 + archive.readUInt16LE(at + 28) + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return archive;
}
