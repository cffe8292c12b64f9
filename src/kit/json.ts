// JSON in and out without loss: strict text in, values whose numbers keep all digits out. Knows no fields and no wire.

import { JsonReader } from './json-reader.ts';
import { JsonFault, rawJSON } from './json-value.ts';
import type { Json } from './json-value.ts';

export { JsonFault, JsonNumber } from './json-value.ts';
export type { Json, JsonFaultReason, JsonObject } from './json-value.ts';

const depthMaxDefault = 32;
// The reader recurses; this many levels fit on any stack.
const depthMaxLimit = 1_000;

export function parseJson(text: string, options: { depthMax?: number } = {}): Json {
  const depthMax = options.depthMax ?? depthMaxDefault;
  if (depthMax > depthMaxLimit) throw new RangeError(`depthMax is at most ${depthMaxLimit}.`);
  if (text.charCodeAt(0) === 0xfeff) {
    throw new JsonFault('byte-order-mark', 'The text begins with a byte order mark.', { offset: 0 });
  }
  if (!text.isWellFormed()) {
    const offset = text.search(/\p{Surrogate}/u);
    throw new JsonFault('lone-surrogate', `Half a surrogate pair stands alone at offset ${offset}.`, { offset });
  }
  return new JsonReader(text, depthMax).readDocument();
}

// Left in the text, a byte order mark is refused by parseJson instead of vanishing here.
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

/** Something `writeJson` writes as a JSON number with exactly these digits. */
export function rawNumber(text: string): unknown {
  // rawJSON refuses malformed text itself but takes any scalar; of those only numbers begin with one of these.
  if (!/^[-\d]/.test(text)) throw new SyntaxError(`${JSON.stringify(text)} is not a JSON number.`);
  return rawJSON(text);
}

/** JSON that is written already. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** An object, some of whose members may be written already; those that are undefined are left out. */
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
