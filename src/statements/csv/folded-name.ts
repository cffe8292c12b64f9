// How names and words of files and profiles are compared.

/** Without regard to case, spaces, underscores and a byte order mark. */
export function foldName(name: string): string {
  return name
    .replace(/[\ufeff\s\u00a0_]+/g, ' ')
    .trim()
    .toLowerCase();
}

/** Whether a word of a profile means a text: `Total*` means everything that begins with it, `B#*` a B and a digit. */
export function matchesWord(text: string, word: string): boolean {
  return matchesFolded(foldName(text), foldName(word));
}

export function matchesFolded(text: string, word: string): boolean {
  const isBeginning = word.endsWith('*') && word !== '*';
  const wanted = isBeginning ? word.slice(0, -1).trimEnd() : word;
  if (isBeginning ? text.length < wanted.length : text.length !== wanted.length) return false;
  if (!wanted.includes('#')) return text.startsWith(wanted);
  return [...wanted].every((sign, at) => text[at] === sign || (sign === '#' && /\d/.test(text[at] ?? '')));
}
