// Recognises a name that was probably meant to be another one.

import { defined } from '../../kit/assert.ts';

/** The number of letters that have to be added, removed or replaced. */
function editDistance(one: string, other: string): number {
  let previous = [0, ...Array.from(other, (_, index) => index + 1)];
  for (const [row, letter] of [...one].entries()) {
    const current = [row + 1];
    for (const [column, otherLetter] of [...other].entries()) {
      const replaced = previous[column]! + (letter === otherLetter ? 0 : 1);
      current.push(Math.min(replaced, previous[column + 1]! + 1, current[column]! + 1));
    }
    previous = current;
  }
  return defined(previous.at(-1), 'each row has a number for no letter');
}

/** Shorter names are too often like others by chance. */
const lengthMin = 7;

/** Whether it is none of the names, but nearly one. */
export function isLikeOneOf(name: string, names: ReadonlySet<string>): boolean {
  if (names.has(name)) return false;
  return [...names].some((known) => known.length >= lengthMin && editDistance(known, name.toUpperCase()) <= 2);
}
