// Reads the reference rates of the European Central Bank as published: a line for each day, a column for each currency against
// the euro, `N/A` for a missing rate, and a comma at the end of each line.

import type { CsvDialect } from '../../http/bulk/csv-rows.ts';

/** Currencies in the bank's history that ISO 4217 has withdrawn since. */
const withdrawn = new Set(['CYP', 'EEK', 'HRK', 'LTL', 'LVL', 'MTL', 'ROL', 'SIT', 'SKK', 'TRL']);

export const ecbReferenceRates: CsvDialect = {
  recognises: ([first, ...others]) =>
    first === 'Date' && others.every((name) => name === '' || /^[A-Z]{3}$/.test(name)),
  rowsOf: (header, [date = '', ...cells]) =>
    cells.flatMap((rate, index) => {
      const quote = header[index + 1]!;
      const isMissing = quote === '' || withdrawn.has(quote) || rate === '' || rate === 'N/A';
      return isMissing ? [] : [{ base: 'EUR', quote, date, rate, source: 'reference' }];
    }),
};
