// Turns the bytes of a statement into text: by byte order mark, XML declaration or OFX header, else as UTF-8, with Windows-1252
// as the fallback.

import { isUtf8 } from 'node:buffer';
import { StatementFault } from '../model/custody/statement.ts';

/** How much of a file says how it is encoded. */
const headLength = 1024;

export class StatementDecoder {
  #head: Uint8Array | undefined = new Uint8Array(0);
  #decoder: { decode(bytes: Uint8Array, options: { stream: boolean }): string } | undefined;

  /** Text may be held back until enough of the file has arrived. */
  push(bytes: Uint8Array): string {
    if (this.#head === undefined) return this.#decode(bytes, true);
    this.#head = joined(this.#head, bytes);
    return this.#head.length < headLength ? '' : this.#start(this.#head, true);
  }

  end(): string {
    return this.#head === undefined ? this.#decode(new Uint8Array(0), false) : this.#start(this.#head, false);
  }

  #start(head: Uint8Array, stream: boolean): string {
    this.#head = undefined;
    const encoding = statedEncoding(head.subarray(0, headLength));
    this.#decoder = encoding === 'utf-8' ? new ForgivingUtf8Decoder() : new TextDecoder(encoding);
    return this.#decode(head, stream);
  }

  #decode(bytes: Uint8Array, stream: boolean): string {
    // No statement has U+0000, and the database cannot store it.
    return this.#decoder?.decode(bytes, { stream }).replaceAll('\u0000', '\ufffd') ?? '';
  }
}

/** Whether lines end with CR alone, as some programs for the Mac write them. */
export function hasReturnsOnly(text: string): boolean {
  return text.includes('\r') && !text.includes('\n');
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}

function statedEncoding(head: Uint8Array): string {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return 'utf-8';
  if (head[0] === 0x3c && head[1] === 0) return 'utf-16le';
  if (head[0] === 0 && head[1] === 0x3c) return 'utf-16be';
  const text = new TextDecoder('latin1').decode(head).trimStart();
  const label = xmlEncoding(text) ?? ofxEncoding(text) ?? 'utf-8';
  try {
    const { encoding } = new TextDecoder(label);
    // A declaration that can be read byte by byte is not in UTF-16, whatever it says.
    return encoding.startsWith('utf-16') ? 'utf-8' : encoding;
  } catch {
    throw new StatementFault({ line: 1 }, `The encoding "${label}" is not known. Send the file as UTF-8.`);
  }
}

function xmlEncoding(text: string): string | undefined {
  return /^<\?xml\s[^>]*?\bencoding\s*=\s*["']\s*([\w.:-]{1,40})/.exec(text)?.[1];
}

/** OFX 1 says `ENCODING:USASCII` with a code page in `CHARSET`, or `ENCODING:UNICODE` or `UTF-8`. */
function ofxEncoding(text: string): string | undefined {
  if (!/^OFXHEADER\s*:/i.test(text)) return undefined;
  const encoding = /\bENCODING\s*:\s*([\w-]{1,40})/i.exec(text)?.[1]?.toUpperCase();
  if (encoding === 'UNICODE' || encoding === 'UTF-8' || encoding === 'UTF8') return 'utf-8';
  const charset = /\bCHARSET\s*:\s*([\w-]{1,40})/i.exec(text)?.[1]?.toUpperCase();
  if (charset === undefined || charset === 'NONE') return 'utf-8';
  if (/^\d{4}$/.test(charset)) return `windows-${charset}`;
  return /^8859-\d+$/.test(charset) ? `iso-${charset}` : charset;
}

/**
 * UTF-8 up to the first byte that is not. If only ASCII came before, the file is in Windows-1252; otherwise it is damaged, and
 * what cannot be read is replaced by U+FFFD. The text does not depend on how the bytes are cut.
 */
class ForgivingUtf8Decoder {
  #carried: Uint8Array = new Uint8Array(0);
  #sawMultibyte = false;
  #isStarted = false;
  #fallback: TextDecoder | undefined;

  decode(bytes: Uint8Array, { stream }: { stream: boolean }): string {
    if (this.#fallback) return this.#fallback.decode(bytes, { stream });
    const all = this.#carried.length === 0 ? bytes : joined(this.#carried, bytes);
    const whole = stream ? all.subarray(0, all.length - openSequenceLength(all)) : all;
    this.#carried = all.slice(whole.length);
    if (isUtf8(whole)) return this.#decodeValid(whole);
    const invalidAt = firstInvalid(whole);
    const valid = this.#decodeValid(whole.subarray(0, invalidAt));
    this.#fallback = new TextDecoder(this.#sawMultibyte ? 'utf-8' : 'windows-1252', { ignoreBOM: true });
    const rest = all.subarray(invalidAt);
    this.#carried = new Uint8Array(0);
    return valid + this.#fallback.decode(rest, { stream });
  }

  #decodeValid(bytes: Uint8Array): string {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    this.#sawMultibyte ||= text.length !== bytes.length;
    const isFirst = !this.#isStarted && text !== '';
    this.#isStarted ||= isFirst;
    return isFirst && text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  }
}

/** How many bytes at the end begin a character that is not complete. */
function openSequenceLength(bytes: Uint8Array): number {
  for (let count = 1; count <= Math.min(3, bytes.length); count++) {
    const byte = bytes[bytes.length - count]!;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return sequenceLength(byte) > count ? count : 0;
  }
  return 0;
}

function sequenceLength(lead: number): number {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  return lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
}

/** Only called once for a file, for bytes that are known not to be UTF-8. */
function firstInvalid(bytes: Uint8Array): number {
  for (let at = 0, length = 0; ; at += length) {
    length = sequenceLength(bytes[at]!);
    if (length === 0 || !isUtf8(bytes.subarray(at, at + length))) return at;
  }
}
