// Writes lines of CSV as RFC 4180 defines it, with cells that a spreadsheet would run as a formula made harmless.

/** Numbers as this service writes them; a spreadsheet reads them as numbers. */
const number = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;
/** What a spreadsheet takes for the beginning of a formula, and the same behind a guard. */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/u;

/** Puts an apostrophe before a text that a spreadsheet would run, and before one that looks as if it had one. */
export function guardCell(value: string): string {
  return formula.test(value) && !number.test(value) ? `'${value}` : value;
}

/** Takes the apostrophe of `guardCell` away again. */
export function unguardCell(value: string): string {
  return value.startsWith("'") && formula.test(value) ? value.slice(1) : value;
}

/** Quotes a field that contains a quote, a comma or a line break. */
function quoteField(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

export function csvLine(values: readonly string[]): string {
  return `${values.map((value) => quoteField(guardCell(value))).join(',')}\r\n`;
}
