// Writes lines of CSV as RFC 4180 defines it.

/** Quotes a field that contains a quote, a comma or a line break. */
function quoteField(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

export function csvLine(values: readonly string[]): string {
  return `${values.map(quoteField).join(',')}\r\n`;
}
