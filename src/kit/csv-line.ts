// CSV as RFC 4180 has it, written line by line. Knows no columns.

/** Quoted where it holds what would end a field. */
function quoteField(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

export function csvLine(values: readonly string[]): string {
  return `${values.map(quoteField).join(',')}\r\n`;
}
