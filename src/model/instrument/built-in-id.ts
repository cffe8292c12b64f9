// The ids of the instruments that the service provides by itself: the cash of each currency, the fees owed in it, and the units of
// trades that named no instrument. They are the same in every workspace, and sort after the ids of all other instruments.

/** Those of which there is one for each currency. */
export type MoneyKind = 'cash' | 'fees-owed';

export interface MoneyInstrument {
  readonly kind: MoneyKind;
  readonly currency: string;
}

/** The time of these ids is the last that an id can have, so that no id is ever made that equals one of them. */
const reservedPrefix = 'f'.repeat(16);
const prefixes: Readonly<Record<MoneyKind, string>> = {
  cash: `${reservedPrefix}01`,
  'fees-owed': `${reservedPrefix}02`,
};

/** Stands for the instrument of trades that named none. */
export const unidentifiedInstrument = `${reservedPrefix}03000000`;

/** The code of the currency is written in hexadecimal: `CHF` is 43 48 46. */
export function moneyInstrumentId({ kind, currency }: MoneyInstrument): string {
  const code = [...currency].map((letter) => letter.charCodeAt(0).toString(16)).join('');
  return prefixes[kind] + code;
}

const foundInstruments = new Map<string, MoneyInstrument>();

/** Says which money an id stands for; undefined for an instrument that a caller created, and for unidentified units. */
export function findMoneyInstrument(id: string): MoneyInstrument | undefined {
  if (!id.startsWith(reservedPrefix)) return undefined;
  const known = foundInstruments.get(id);
  if (known !== undefined) return known;
  const kind = (['cash', 'fees-owed'] as const).find((one) => id.startsWith(prefixes[one]));
  if (kind === undefined) return undefined;
  const pairs = id.slice(prefixes[kind].length).match(/../g) ?? [];
  const currency = String.fromCharCode(...pairs.map((pair) => Number.parseInt(pair, 16)));
  if (!/^[A-Z]{3}$/.test(currency)) return undefined;
  const found = { kind, currency };
  foundInstruments.set(id, found);
  return found;
}

/** Whether the id is reserved for an instrument that the service provides. */
export function isBuiltInId(id: string): boolean {
  return id.startsWith(reservedPrefix);
}
