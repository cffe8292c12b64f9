// How names and words of files and profiles are compared.

/** Without regard to case, spaces and a byte order mark. */
export function foldName(name: string): string {
  return name
    .replace(/[\ufeff\s\u00a0]+/g, ' ')
    .trim()
    .toLowerCase();
}

/** Whether a word of a profile means a text: `Total*` means everything that begins with it, `B#*` a B and a digit. */
export function matchesWord(text: string, word: string): boolean {
  const folded = foldName(word);
  const isBeginning = folded.endsWith('*') && folded !== '*';
  const wanted = isBeginning ? folded.slice(0, -1).trimEnd() : folded;
  const found = foldName(text);
  if (isBeginning ? found.length < wanted.length : found.length !== wanted.length) return false;
  if (!wanted.includes('#')) return found.startsWith(wanted);
  return [...wanted].every((sign, at) => found[at] === sign || (sign === '#' && /\d/.test(found[at] ?? '')));
}
