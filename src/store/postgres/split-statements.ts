// Splits the text of a migration into its statements. A server that spreads tables over others passes changes of the schema on only if each
// is sent by itself.

/** What a semicolon does not end: texts, names, bodies of functions, comments. An unfinished one goes on to the end. */
const wholes = [
  /[eE]'(?:\\[\s\S]|''|[^'\\])*(?:'|$)/y,
  /'(?:''|[^'])*(?:'|$)/y,
  /"(?:""|[^"])*(?:"|$)/y,
  /--[^\n]*/y,
  /\$([\p{L}_][\p{L}\p{N}_]*)?\$[\s\S]*?(?:\$\1\$|$(?![\s\S]))/uy,
];

/** A word is taken as a whole, so that the `e` at its end begins no text, and a `$` in it no body. */
const word = /[\p{L}_][\p{L}\p{N}_$]*/uy;

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

/** Comments of this kind contain each other. */
function endOfBlockComment(text: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    if (text.startsWith('/*', at)) depth++;
    else if (text.startsWith('*/', at)) depth--;
    else {
      at++;
      continue;
    }
    at += 2;
    if (depth === 0) return at;
  }
  return text.length;
}

/** The end of what begins here, which may be a single character. */
function endOfPart(text: string, at: number): number {
  if (text.startsWith('/*', at)) return endOfBlockComment(text, at);
  for (const pattern of wholes) {
    const end = endOf(pattern, text, at);
    if (end !== undefined) return end;
  }
  return endOf(word, text, at) ?? at + 1;
}

const isComment = (part: string): boolean => part.startsWith('--') || part.startsWith('/*');

/** The statements in their order, without the semicolons between them; parts that only comment on something are left out. */
export function splitStatements(text: string): string[] {
  const statements: string[] = [];
  let [start, isEmpty] = [0, true];
  for (let at = 0; at < text.length;) {
    const end = endOfPart(text, at);
    const part = text.slice(at, end);
    if (part === ';') {
      if (!isEmpty) statements.push(text.slice(start, at).trim());
      [start, isEmpty] = [end, true];
    } else if (part.trim() !== '' && !isComment(part)) isEmpty = false;
    at = end;
  }
  if (!isEmpty) statements.push(text.slice(start).trim());
  return statements;
}
