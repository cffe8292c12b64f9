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

/** Writes the value as JSON, with every placeholder filled. */
export function* fillJsonTemplate(
  value: unknown,
  fillers: Readonly<Record<string, () => Iterable<string>>>,
): Generator<string> {
  for (const [index, part] of writeJson(value)
    .split(/"\\u0000(\w+)"/)
    .entries()) {
    if (index % 2 === 0) yield part;
    else yield* defined(fillers[part], 'every placeholder has a filler')();
  }
}

/** Writes several values as the items of an array. */
export function* jsonArray<T>(items: readonly T[], write: (item: T) => Iterable<string>): Generator<string> {
  yield '[';
  for (const [index, item] of items.entries()) {
    if (index > 0) yield ',';
    yield* write(item);
  }
  yield ']';
}

/** Passing a chunk from thread to thread costs as much as writing a good part of it. */
const chunkLength = 256 * 1024;

/** Joins texts into chunks that are large enough to send. Waits for `pause` between texts, so that others may compute meanwhile. */
export async function* joinIntoChunks(
  texts: Iterable<string>,
  pause: () => Promise<void> | undefined,
): AsyncGenerator<string> {
  let chunk = '';
  for (const text of texts) {
    chunk += text;
    const paused = pause();
    if (paused !== undefined) await paused;
    if (chunk.length < chunkLength) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}
