// A position whose price is in hundredths of a currency, such as pence: the instrument is quoted in them, and the currency is the main one.

import type { StatementItem } from '../../model/custody/statement.ts';
import { quotedCurrency } from '../../model/instrument/quoted-currency.ts';

/** The price stays as it is stated: it is compared with the prices of the instrument, which are in the same unit. */
export function quotedItem(item: StatementItem): StatementItem {
  if (item.item !== 'position' || item.currency === undefined) return item;
  const quoted = quotedCurrency(item.currency);
  if (quoted === undefined || !quoted.isInHundredths) return item;
  const instrument = { ...item.instrument, currency: item.instrument.currency ?? item.currency };
  // A value in hundredths could not be told from one in the main currency.
  const { value, valueCurrency, ...others } = item;
  const isSame = valueCurrency === item.currency;
  const valued = isSame ? {} : { ...(value && { value }), ...(valueCurrency && { valueCurrency }) };
  return { ...others, ...valued, instrument, currency: quoted.currency };
}
