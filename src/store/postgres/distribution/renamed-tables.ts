// Writes a statement for tables that have other names: those of a part of the workspaces, on the server that holds it. What a table is called in
// the rest of the statement stays as it is.

const token =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/|[A-Za-z_][A-Za-z_0-9]*|\$?\d+|\s+|./gs;
const isWord = /^[A-Za-z_]/;
const isBlank = /^(\s|--|\/\*)/;

/** What can follow a table that has no other name in the statement. */
const afterTable = new Set(
  `where join left right inner full cross natural on using set order group limit offset fetch returning for union except intersect having window
   default values select with overriding tablesample`.split(/\s+/),
);
/** What ends the list of tables that FROM began. */
const endsTables = new Set(
  'where group order having limit offset fetch returning set values window union except intersect select for'.split(
    ' ',
  ),
);
/** Functions whose arguments have a FROM. */
const withFrom = new Set(['extract', 'substring', 'trim', 'overlay', 'position']);

interface Bracket {
  /** Whether a comma is followed by another table. */
  isListing: boolean;
  readonly isArgument: boolean;
}

/** Undefined if the text names none of the tables. */
export function renameTables(text: string, names: ReadonlyMap<string, string>): string | undefined {
  const tokens = text.match(token) ?? [];
  const next = (from: number): number => {
    let at = from + 1;
    while (at < tokens.length && isBlank.test(tokens[at] ?? '')) at++;
    return at;
  };
  const ownNames = namesOfQueries(tokens, next);
  const brackets: Bracket[] = [{ isListing: false, isArgument: false }];
  let isTable = false;
  let before = '';
  let isFound = false;
  const written = tokens.map((found, index) => {
    if (isBlank.test(found)) return found;
    const word = isWord.test(found) ? found.toLowerCase() : found;
    const bracket = brackets.at(-1);
    const wasTable = isTable;
    const previous = before;
    before = word;
    isTable = false;
    if (bracket === undefined) return found;
    if (word === '(') {
      brackets.push({ isListing: false, isArgument: withFrom.has(previous) });
      isTable = wasTable && previous !== 'using';
    } else if (word === ')') brackets.pop();
    else if (word === ',') isTable = bracket.isListing;
    else if (word === 'from') {
      isTable = previous !== 'distinct' && !bracket.isArgument;
      if (isTable) bracket.isListing = true;
    } else if (word === 'join' || word === 'into' || word === 'using') isTable = true;
    else if (word === 'update') isTable = !['for', 'key', 'do'].includes(previous);
    else if (word === 'only' || word === 'lateral') isTable = wasTable;
    else if (endsTables.has(word)) bracket.isListing = false;
    else if (wasTable) {
      const name = ownNames.has(word) ? undefined : names.get(word);
      if (name === undefined) return found;
      isFound = true;
      const after = (tokens[next(index)] ?? '').toLowerCase();
      const hasAlias = after === 'as' || (isWord.test(after) && !afterTable.has(after));
      return hasAlias ? name : `${name} AS ${found}`;
    }
    return found;
  });
  return isFound ? written.join('') : undefined;
}

/** The names that WITH gives to queries: whoever reads from such a name means the query. */
function namesOfQueries(tokens: readonly string[], next: (from: number) => number): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [index, found] of tokens.entries()) {
    if (!isWord.test(found)) continue;
    let at = next(index);
    if (tokens[at] === '(') {
      while (at < tokens.length && tokens[at] !== ')') at++;
      at = next(at);
    }
    if (tokens[at]?.toLowerCase() !== 'as') continue;
    at = next(at);
    while (/^(not|materialized)$/i.test(tokens[at] ?? '')) at = next(at);
    if (tokens[at] === '(') names.add(found.toLowerCase());
  }
  return names;
}
