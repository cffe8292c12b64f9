// Changes a piece of SQL as a mutant does: a condition dropped, a lock dropped, a bound moved.

export interface SqlChange {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** Text counts as SQL if it has one of these words in capitals. */
const sqlWords = /\b(?:SELECT|INSERT|UPDATE|DELETE|WHERE|AND|FROM|SET|JOIN)\b/;

/** A condition reaches up to the next part of the statement. What is in brackets belongs to it. */
const conditionStart = /\b(AND|WHERE)\s+/g;
const nextPart =
  /^(?:AND|OR|ORDER|GROUP|LIMIT|FOR|RETURNING|ON|SET|FROM|WHERE|UNION|LEFT|JOIN|CROSS|WHEN|THEN|ELSE|END)\b/;

export function sqlChanges(text: string): SqlChange[] {
  if (!sqlWords.test(text)) return [];
  return [...droppedConditions(text), ...droppedLocks(text), ...movedBounds(text)];
}

function droppedConditions(text: string): SqlChange[] {
  return [...text.matchAll(conditionStart)].flatMap(({ index, 0: before, 1: word }) => {
    const end = endOfCondition(text, index + before.length);
    const condition = text.slice(index + before.length, end);
    const isRange = /\bBETWEEN\s+[^\s()]+\s*$/.test(text.slice(0, index));
    if (isRange || !isWhole(condition)) return [];
    // It still names its parameters: a statement with too few of them would fail at once, whatever it selects.
    return [{ start: index, end, replacement: `${word} (${condition} OR true)` }];
  });
}

/** Whether a condition is all there: one that continues in an expression of the template is not. */
function isWhole(condition: string): boolean {
  const count = (character: string): number => condition.split(character).length - 1;
  const isClosed = count('(') === count(')') && count("'") % 2 === 0;
  return isClosed && /[\w)'\]]\s*$/.test(condition) && /[=<>@]|\bIS\b|\bIN\b|\bEXISTS\b|\bLIKE\b/.test(condition);
}

function endOfCondition(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (depth === 0 && isEndAt(text, at)) return trimmedEnd(text, from, at);
    if (text[at] === '(') depth++;
    if (text[at] === ')') depth--;
  }
  return trimmedEnd(text, from, text.length);
}

function isEndAt(text: string, at: number): boolean {
  if (/[),;]/.test(text.charAt(at))) return true;
  return nextPart.test(text.slice(at)) && !/\w$|\bDISTINCT\s+$/.test(text.slice(0, at));
}

function trimmedEnd(text: string, from: number, end: number): number {
  return from + text.slice(from, end).trimEnd().length;
}

function droppedLocks(text: string): SqlChange[] {
  const locks = text.matchAll(/\bFOR (?:NO KEY )?(?:UPDATE|SHARE|KEY SHARE)(?: OF \w+)?(?: SKIP LOCKED)?/g);
  return [...locks].map(({ index, 0: lock }) => ({ start: index, end: index + lock.length, replacement: '' }));
}

const otherBound: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };

function movedBounds(text: string): SqlChange[] {
  return [...text.matchAll(/(?<= )(?:<=|>=|<|>)(?= )/g)].map(({ index, 0: operator }) => ({
    start: index,
    end: index + operator.length,
    replacement: otherBound[operator]!,
  }));
}
