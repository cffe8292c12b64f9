// Reads spreadsheets in tests: the files of the archive, and the rows of a sheet.

import { inflateRawSync } from 'node:zlib';

/** The files of a ZIP archive, found by its central directory. */
export function unzip(archive: Buffer): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const end = archive.lastIndexOf('PK\u0005\u0006');
  let at = archive.readUInt32LE(end + 16);
  for (let count = archive.readUInt16LE(end + 10); count > 0; count--) {
    const nameLength = archive.readUInt16LE(at + 28);
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
    const local = archive.readUInt32LE(at + 42);
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const packed = archive.subarray(start, start + archive.readUInt32LE(at + 20));
    files.set(name, (archive.readUInt16LE(at + 10) === 0 ? packed : inflateRawSync(packed)).toString());
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return files;
}

/** The rows of a sheet, counted from one: numbers, texts, and null for empty cells before the last. Fails at formulas. */
export function readSheet(archive: Buffer, sheetNumber: number): (number | string | null)[][] {
  const files = unzip(archive);
  const texts = [...files.get('xl/sharedStrings.xml')!.matchAll(/<t[^>]*>([^<]*)<\/t>/g)].map(([, text]) => text!);
  const sheet = files.get(`xl/worksheets/sheet${sheetNumber}.xml`)!;
  if (sheet.includes('<f>')) throw new Error('The sheet has formulas.');
  return [...sheet.matchAll(/<row [^>]*>(.*?)<\/row>/gs)].map(([, row]) => {
    const cells: (number | string | null)[] = [];
    for (const [, column, attributes, value] of row!.matchAll(/<c r="([A-Z]+)\d+"([^>]*)><v>([^<]*)<\/v>/g)) {
      const at = [...column!].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
      while (cells.length < at) cells.push(null);
      cells.push(attributes!.includes('t="s"') ? texts[Number(value)]! : Number(value));
    }
    return cells;
  });
}
