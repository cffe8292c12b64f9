// Reads and writes JSON without loss: reading is strict, and numbers keep all their digits.

import { JsonReader } from './json-reader.ts';
import { JsonFault, rawJSON } from './json-value.ts';
import type { Json, JsonLimits } from './json-value.ts';

export { isJsonObject, JsonFault, JsonNumber } from './json-value.ts';
export type { Json, JsonFaultReason, JsonLimits, JsonObject } from './json-value.ts';

const depthMaxDefault = 32;
// The reader is recursive; this depth fits on any stack.
const depthMaxLimit = 1_000;

export function parseJson(text: string, limits: JsonLimits = {}): Json {
  const { depthMax = depthMaxDefault, valuesMax = Infinity, membersMax = Infinity } = limits;
  if (depthMax > depthMaxLimit) throw new RangeError(`depthMax is at most ${depthMaxLimit}.`);
  if (text.charCodeAt(0) === 0xfeff) {
    throw new JsonFault('byte-order-mark', 'The text begins with a byte order mark.', { offset: 0 });
  }
  if (!text.isWellFormed()) {
    const offset = text.search(/\p{Surrogate}/u);
    throw new JsonFault('lone-surrogate', `A surrogate has no partner at offset ${offset}.`, { offset });
  }
  return new JsonReader(text, { depthMax, valuesMax, membersMax }).readDocument();
}

// Keeps a byte order mark in the text, so that parseJson refuses it.
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenientDecoder = new TextDecoder('utf-8', { ignoreBOM: true });

export function readUtf8(bytes: Uint8Array): string {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    const repaired = new TextEncoder().encode(lenientDecoder.decode(bytes));
    const differsAt = bytes.findIndex((byte, index) => byte !== repaired[index]);
    const offset = differsAt === -1 ? bytes.length : differsAt;
    throw new JsonFault('invalid-utf8', `The text is not UTF-8 at byte ${offset}.`, { offset });
  }
}

/** A value that `writeJson` writes as a JSON number with exactly these digits. */
export function rawNumber(text: string): unknown {
  // rawJSON refuses malformed text but accepts any scalar; only numbers begin with these characters.
  if (!/^[-\d]/.test(text)) throw new SyntaxError(`${JSON.stringify(text)} is not a JSON number.`);
  return rawJSON(text);
}

/** Text that is already JSON. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Writes an object, some of whose members may already be JSON. Undefined members are left out. */
  static fromMembers(members: Readonly<Record<string, unknown>>): JsonText {
    const written = Object.entries(members)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${writeJson(name)}:${value instanceof JsonText ? value.text : writeJson(value)}`);
    return new JsonText(`{${written.join(',')}}`);
  }
}

export function writeJson(value: unknown): string {
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) throw new TypeError(`A value of type ${typeof value} cannot be written as JSON.`);
  return text;
}
