// Writes JSON that is too long to be in memory at once: a template with placeholders, which are filled piece by piece.

import { defined } from '../../../kit/assert.ts';
import { writeJson } from '../../../kit/json.ts';
import type { Kind } from '../../../kit/field.ts';

/** No stored or sent text contains U+0000, so a placeholder is unambiguous. */
const placeholderMark = '\u0000';

/** A kind that writes a placeholder instead of a value. */
export function placeholder(name: string): Kind<unknown> {
  return { write: () => placeholderMark + name, schema: () => ({}) };
}

/** A part of a long text: as a string, or in UTF-8. Bytes may change as soon as the next part is taken. */
export type TextPart = string | Uint8Array;

/** Writes the value as JSON, with every placeholder filled. */
export function* fillJsonTemplate(
  value: unknown,
  fillers: Readonly<Record<string, () => Iterable<TextPart>>>,
): Generator<TextPart> {
  for (const [index, part] of writeJson(value)
    .split(/"\\u0000(\w+)"/)
    .entries()) {
    if (index % 2 === 0) yield part;
    else yield* defined(fillers[part], 'every placeholder has a filler')();
  }
}

/** Writes several values as the items of an array. */
export function* jsonArray<T>(items: readonly T[], write: (item: T) => Iterable<TextPart>): Generator<TextPart> {
  yield '[';
  for (const [index, item] of items.entries()) {
    if (index > 0) yield ',';
    yield* write(item);
  }
  yield ']';
}

/** Passing a chunk from thread to thread costs as much as writing a good part of it. */
const chunkLength = 256 * 1024;

/** Joins parts into chunks that are large enough to send. Waits for `pause` between parts, so that others may compute meanwhile. */
export async function* joinIntoChunks(
  parts: Iterable<TextPart>,
  pause: () => Promise<void> | undefined,
): AsyncGenerator<Uint8Array> {
  let [chunk, length] = [Buffer.allocUnsafeSlow(chunkLength), 0];
  for (const part of parts) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    // Copied whole before anybody else runs: another report may write to these bytes then.
    const full: Uint8Array[] = [];
    for (let at = 0; at < bytes.length;) {
      const step = Math.min(bytes.length - at, chunkLength - length);
      chunk.set(step === bytes.length ? bytes : bytes.subarray(at, at + step), length);
      [at, length] = [at + step, length + step];
      if (length < chunkLength) break;
      full.push(chunk);
      // Another one, because its memory is handed over to the thread that sends it.
      [chunk, length] = [Buffer.allocUnsafeSlow(chunkLength), 0];
    }
    yield* full;
    const paused = pause();
    if (paused !== undefined) await paused;
  }
  if (length > 0) yield chunk.subarray(0, length);
}
