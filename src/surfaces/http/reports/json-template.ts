// JSON that is too long to be held at once: written whole but for places, and what belongs there is put in piece by piece. Knows no
// report.

import { writeJson } from '../../../kit/json.ts';
import type { Kind } from '../../../kit/field.ts';

/** No text that is stored or sent holds U+0000, so that a place cannot be mistaken. */
const placeholderMark = '\u0000';

/** What writes a place instead of a value. */
export function placeholder(name: string): Kind<unknown> {
  return { write: () => placeholderMark + name, schema: () => ({}) };
}

/** The value as JSON, with what fills each of its places in it. */
export function* fillJsonTemplate(
  value: unknown,
  fillers: Readonly<Record<string, () => Iterable<string>>>,
): Generator<string> {
  for (const [index, part] of writeJson(value)
    .split(/"\\u0000(\w+)"/)
    .entries()) {
    if (index % 2 === 0) yield part;
    else yield* fillers[part]!();
  }
}

/** The texts of several values, as the members of an array. */
export function* jsonArray<T>(items: readonly T[], write: (item: T) => Iterable<string>): Generator<string> {
  yield '[';
  for (const [index, item] of items.entries()) {
    if (index > 0) yield ',';
    yield* write(item);
  }
  yield ']';
}

const chunkLength = 64 * 1024;

/** In pieces that are worth sending. */
export async function* joinIntoChunks(texts: Iterable<string>): AsyncGenerator<string> {
  let chunk = '';
  for (const text of texts) {
    chunk += text;
    if (chunk.length < chunkLength) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}
