// What one line of a file of positions, prices or exchange rates means.

import type { Decimal } from '../../kit/decimal.ts';
import type { StatedPrice, StatedRate, StatementPosition, StatementProblem } from '../../model/custody/statement.ts';
import { quotedCurrency } from '../../model/instrument/quoted-currency.ts';
import { missingValue } from '../field-fault.ts';
import { stated } from '../stated-fields.ts';
import type { CsvCells } from './csv-cells.ts';
import { accountOf, depositoryOf } from './csv-entry.ts';
import { requiredInstrument } from './csv-instrument.ts';
import type { CsvField } from '../../model/custody/import-profile.ts';

const instrumentFields: readonly CsvField[] = ['isin', 'cusip', 'sedol', 'ticker', 'code', 'instrumentName'];

function requiredNumber(cells: CsvCells, field: CsvField): Decimal {
  const value = cells.number(field);
  if (value === undefined) throw cells.fault(field, `The line has no number in the column ${cells.nameOf(field)}.`);
  return value;
}

/** Prices may be in hundredths of a currency, such as pence. */
function quoteCurrencyOf(cells: CsvCells): string | undefined {
  const text = cells.text('currency');
  return quotedCurrency(text)?.isInHundredths === true ? text : cells.currency('currency');
}

export function positionOf(cells: CsvCells): StatementPosition {
  const currency = quoteCurrencyOf(cells);
  const value = cells.number('value');
  return stated<StatementPosition>({
    item: 'position',
    place: { line: cells.line },
    account: depositoryOf(cells) ?? accountOf(cells),
    date: cells.requiredDate(),
    instrument: requiredInstrument(cells, instrumentFields),
    quantity: requiredNumber(cells, 'quantity'),
    price: cells.number('price'),
    currency,
    value,
    valueCurrency: value === undefined ? undefined : currency,
    cost: cells.number('cost'),
  });
}

export function priceOf(cells: CsvCells): StatedPrice {
  const currency = quoteCurrencyOf(cells);
  const instrument = requiredInstrument(cells, instrumentFields);
  return {
    item: 'price',
    place: { line: cells.line },
    series: cells.profile.constants.series ?? 'price',
    instrument: currency === undefined ? instrument : { ...instrument, currency },
    date: cells.requiredDate(),
    value: requiredNumber(cells, 'price'),
  };
}

export function rateOf(cells: CsvCells): StatedRate | StatementProblem {
  const [base, quote] = [cells.currency('currency'), cells.currency('counterCurrency')];
  if (base === undefined) throw cells.fault('currency', 'The line has no base currency.');
  if (quote === undefined) throw cells.fault('counterCurrency', 'The line has no quoted currency.');
  const date = cells.requiredDate();
  const place = { line: cells.line };
  if (cells.first('exchangeRate') === undefined) return missingValue(place, `The rate ${base}/${quote} of ${date}`);
  return {
    item: 'fx-rate',
    place,
    base,
    quote,
    date,
    rate: requiredNumber(cells, 'exchangeRate'),
  };
}
