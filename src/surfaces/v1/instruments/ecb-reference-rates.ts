// The file of reference rates of the European Central Bank as a body of bulk rates: its rows under our own field names.

import { ecbRatesOf, isEcbHeader } from '../../../statements/csv/ecb-reference-rates.ts';
import type { CsvDialect } from '../../http/bulk/csv-rows.ts';

export const ecbReferenceRates: CsvDialect = {
  recognises: isEcbHeader,
  rowsOf: (header, cells) =>
    ecbRatesOf(header, cells).map(({ quote, date, rate }) => ({ base: 'EUR', quote, date, rate, source: 'reference' })),
};
