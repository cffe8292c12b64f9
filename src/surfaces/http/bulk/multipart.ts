// Finds the parts of a received multipart/form-data body without holding it in memory: the values of its small fields, and where its
// file is.

import { Refusal } from '../../../kit/refusal.ts';
import type { Spool } from './spool.ts';

/** How many parts a form may have. */
const partsMax = 50;
/** The headers of one part of a form. */
const headerBytesMax = 8 * 1024;
/** The value of a field that is not the file. */
const fieldBytesMax = 4 * 1024;
/** White space between a boundary and the end of its line. */
const paddingBytesMax = 200;
const lineEnd = '\r\n';
const headerEnd = '\r\n\r\n';

/** Where the file is within the body. */
export interface FilePart {
  readonly start: number;
  readonly end: number;
  readonly fileName: string | null;
}

export interface MultipartBody {
  readonly fields: ReadonlyMap<string, string>;
  readonly file: FilePart | undefined;
}

function malformed(what: string): Refusal {
  return new Refusal('malformed-request', `The multipart body cannot be read: ${what}`);
}

/** The boundary that the Content-Type states; undefined if the body is not multipart/form-data. */
export function multipartBoundary(contentType: string | undefined): string | undefined {
  if (!/^\s*multipart\/form-data\b/i.test(contentType ?? '')) return undefined;
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType ?? '') ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw malformed('its Content-Type states no boundary.');
  return boundary;
}

interface OpenPart {
  readonly name: string;
  readonly fileName: string | null;
  readonly start: number;
}

/** Reads `name` and `filename` of a part. A file name is never more than the name: paths are cut off. */
function readHeader(header: string): Omit<OpenPart, 'start'> {
  const disposition = /^content-disposition:(.*)$/im.exec(header)?.[1] ?? '';
  const parameter = (name: string): string | undefined => {
    const [, quoted, plain] =
      new RegExp(`;\\s*${name}=(?:"((?:\\\\.|[^"\\\\])*)"|([^\\s;]+))`, 'i').exec(disposition) ?? [];
    return quoted?.replace(/\\(["\\])/g, '$1') ?? plain;
  };
  const name = parameter('name');
  if (name === undefined) throw malformed('a part has no name.');
  const fileName = parameter('filename');
  return { name, fileName: fileName?.split(/[/\\]/).at(-1) ?? null };
}

/** Goes over the body once, chunk by chunk, and keeps no more than a boundary's length of it. */
class MultipartScanner {
  readonly #delimiter: Buffer;
  /** The beginning of the body counts as the end of a line. */
  #pending: Buffer = Buffer.from(lineEnd);
  /** The position of `#pending` in the body. */
  #offset = -2;
  #state: 'preamble' | 'after-delimiter' | 'header' | 'content' | 'end' = 'preamble';
  #part: OpenPart | undefined;
  #fieldText: Buffer[] = [];
  #partCount = 0;
  readonly fields = new Map<string, string>();
  file: FilePart | undefined;

  constructor(boundary: string) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
  }

  push(chunk: Buffer): void {
    this.#pending = Buffer.concat([this.#pending, chunk]);
    while (this.#step());
  }

  end(): void {
    if (this.#state !== 'end') throw malformed('it ends before its last boundary.');
  }

  /** Returns whether there is more to do with what has arrived. */
  #step(): boolean {
    switch (this.#state) {
      case 'preamble':
      case 'content':
        return this.#findDelimiter();
      case 'after-delimiter':
        return this.#readDelimiterEnd();
      case 'header':
        return this.#readPartHeader();
      case 'end':
        return false;
    }
  }

  #drop(length: number): Buffer {
    const dropped = this.#pending.subarray(0, length);
    this.#pending = this.#pending.subarray(length);
    this.#offset += length;
    return dropped;
  }

  #findDelimiter(): boolean {
    const at = this.#pending.indexOf(this.#delimiter);
    const length = at >= 0 ? at : Math.max(0, this.#pending.length - this.#delimiter.length);
    const content = this.#drop(length);
    if (this.#state === 'content' && this.#part?.fileName === null) this.#addFieldText(content);
    if (at < 0) return false;
    if (this.#state === 'content') this.#closePart();
    this.#drop(this.#delimiter.length);
    this.#state = 'after-delimiter';
    return true;
  }

  #addFieldText(content: Buffer): void {
    this.#fieldText.push(Buffer.from(content));
    // The end of the header's last line is before it.
    if (this.#fieldText.reduce((sum, { length }) => sum + length, -lineEnd.length) > fieldBytesMax)
      throw malformed(`a field has more than ${fieldBytesMax} bytes. Send the file as a part with a file name.`);
  }

  #closePart(): void {
    const part = this.#part;
    if (part === undefined) return;
    if (part.fileName === null)
      this.fields.set(part.name, Buffer.concat(this.#fieldText).subarray(lineEnd.length).toString('utf8'));
    else if (this.file !== undefined) throw malformed('it has several files. Import one at a time.');
    else this.file = { start: part.start, end: Math.max(part.start, this.#offset), fileName: part.fileName || null };
    this.#part = undefined;
    this.#fieldText = [];
  }

  #readDelimiterEnd(): boolean {
    if (this.#pending.length < 2) return false;
    if (this.#pending.subarray(0, 2).toString('latin1') === '--') {
      this.#state = 'end';
      return false;
    }
    const end = this.#pending.indexOf(lineEnd);
    if (end < 0 && this.#pending.length < paddingBytesMax + lineEnd.length) return false;
    if (end < 0 || end > paddingBytesMax || this.#drop(end).toString('latin1').trim() !== '')
      throw malformed('a boundary is followed by something else.');
    if (++this.#partCount > partsMax) throw malformed(`it has more than ${partsMax} parts.`);
    this.#state = 'header';
    return true;
  }

  /** The header begins with the end of the boundary's line, so that an empty one is found as well. */
  #readPartHeader(): boolean {
    const end = this.#pending.indexOf(headerEnd);
    if (end < 0 && this.#pending.length < headerBytesMax + headerEnd.length) return false;
    if (end < 0 || end > headerBytesMax) throw malformed('the header of a part is too long.');
    // Leaves the end of the last line, which begins the next boundary if the part is empty.
    const header = this.#drop(end + lineEnd.length).toString('utf8');
    this.#part = { ...readHeader(header), start: this.#offset + lineEnd.length };
    this.#state = 'content';
    return true;
  }
}

/** Where the bytes of a body come from; each call of `chunks` begins anew. */
export type BodyChunks = Pick<Spool, 'chunks'>;

export async function readMultipart(spool: BodyChunks, boundary: string): Promise<MultipartBody> {
  const scanner = new MultipartScanner(boundary);
  for await (const chunk of spool.chunks()) scanner.push(chunk);
  scanner.end();
  return { fields: scanner.fields, file: scanner.file };
}

/** The fields that have arrived whole, of a body of which only the beginning has arrived. */
export function readArrivedFields(beginning: Uint8Array, boundary: string): ReadonlyMap<string, string> {
  const scanner = new MultipartScanner(boundary);
  scanner.push(Buffer.from(beginning));
  return scanner.fields;
}

/** The bytes of the body from `start` to `end`. */
export async function* sliceOf(
  spool: BodyChunks,
  { start, end }: Pick<FilePart, 'start' | 'end'>,
): AsyncGenerator<Buffer> {
  let offset = 0;
  for await (const chunk of spool.chunks()) {
    const from = Math.max(0, start - offset);
    const to = Math.min(chunk.length, end - offset);
    if (from < to) yield chunk.subarray(from, to);
    offset += chunk.length;
    if (offset >= end) return;
  }
}
