// Gives an entry its type: the signs of cash and units that follow from it, and which of its figures count. The word of the entry is looked
// up by the reader of the file; a mapping that a person sets later decides about the same entry again.

import { isIncomeOfInstrument, movesBetweenAccounts, tradesUnits, traitsOfKind } from '../model/ledger/kind-traits.ts';
import { zeroDecimal, type Decimal } from '../kit/decimal.ts';
import { fromFixed, magnitude, multiply, toFixed } from '../kit/fixed.ts';
import type { CashSigns, EntryByWord, FieldsByType, StatementEntry } from '../model/custody/statement.ts';
import type { CorporateActionType, TransactionKind, TransactionType } from '../model/ledger/transaction-kind.ts';
import { withSign, type Direction } from './signed-values.ts';
import { meaningOfWord, wordLengthMax, type WordMeaning } from './type-vocabulary.ts';
import { stated } from './stated-fields.ts';
import { cutText } from './short-text.ts';

const meaningsOfTypes: Readonly<Record<TransactionType, WordMeaning>> = {
  buy: { kind: 'trade', cash: 'out', units: 'in' },
  sell: { kind: 'trade', cash: 'in', units: 'out' },
  deposit: { kind: 'flow', cash: 'in', units: 'in' },
  withdrawal: { kind: 'flow', cash: 'out', units: 'out' },
  dividend: { kind: 'dividend', cash: 'in' },
  coupon: { kind: 'coupon', cash: 'in' },
  interest: { kind: 'interest' },
  fee: { kind: 'fee', cash: 'out' },
  'fx-trade': { kind: 'fx' },
  'corporate-action': { kind: 'corporate-action' },
  drawing: { kind: 'capital-call', cash: 'out' },
  maturity: { kind: 'redemption', cash: 'in', units: 'out' },
  'private-equity-cashflow': { kind: 'distribution', cash: 'in' },
};

export function meaningOfType(type: TransactionType, action: CorporateActionType | null | undefined): WordMeaning {
  return action == null ? meaningsOfTypes[type] : { ...meaningsOfTypes[type], action };
}

/** Kinds whose rows have units. */
function hasUnits(kind: TransactionKind): boolean {
  const { amount, units } = traitsOfKind(kind);
  return amount === 'units' || units === 'delivered' || units === 'converted';
}

/** Kinds whose price says what a unit was exchanged for: that of income is income per unit. */
function hasPrice(kind: TransactionKind): boolean {
  const { amount } = traitsOfKind(kind);
  return amount === 'units' || amount === 'payment';
}

/** An entry whose figures are as its file states them. */
export interface UntypedEntry {
  readonly fields: StatementEntry;
  readonly signs: CashSigns;
}

/** The entry with the type that a format, a profile or a mapping gives it. */
export function typedEntry({ fields, signs }: UntypedEntry, meaning: WordMeaning): StatementEntry {
  const { kind, action, units } = meaning;
  const counted = hasUnits(kind) ? fields.quantity : undefined;
  const quantity = counted === undefined || units === undefined ? counted : withSign(counted, units);
  return {
    ...withoutFieldsByType(fields),
    kind,
    ...stated<FieldsByType & Pick<StatementEntry, 'action'>>({
      action: action ?? fields.action,
      quantity,
      price: hasPrice(kind) ? fields.price : undefined,
      instrument: hasPrice(kind) || isIncomeOfInstrument(kind) || counted !== undefined ? fields.instrument : undefined,
      counterAccount: movesBetweenAccounts(kind) ? fields.counterAccount : undefined,
      category: fields.category ?? meaning.category,
      ...cashOf({ fields, signs }, meaning),
    }),
  };
}

type Cash = Pick<StatementEntry, 'amount' | 'fees' | 'quantity'>;

/** The cash after fees and taxes: as stated, else from the cash before them, else from units and price. */
function cashOf({ fields, signs }: UntypedEntry, { kind, cash }: WordMeaning): Cash {
  const { amount, grossAmount, quantity, price, fees, taxes } = fields;
  const traits = traitsOfKind(kind);
  const isSigned = signs === 'stated' || (signs === 'trades-by-type' && !tradesUnits(kind));
  const signed = (value: Decimal): Decimal => (isSigned || cash === undefined ? value : withSign(value, cash));
  if (amount !== undefined && !(traits.units === 'converted' && amount === zeroDecimal))
    return stated<Cash>({ amount: signed(amount), fees });
  if (grossAmount !== undefined) return stated<Cash>({ amount: afterCosts(signed(grossAmount), [fees, taxes]), fees });
  const isInKind = traits.units === 'converted' || (traits.units === 'delivered' && fields.instrument !== undefined);
  if (tradesUnits(kind) || isInKind) return stated<Cash>({ fees });
  if (traits.amount === 'charge') return ownFee(fields, cash);
  if (quantity === undefined || price === undefined) return stated<Cash>({ fees });
  const gross = fromFixed(multiply(toFixed(quantity), toFixed(price)));
  const directed = cash === undefined ? gross : withSign(gross, cash);
  return stated<Cash>({ amount: afterCosts(directed, [fees, taxes]), fees, quantity: undefined });
}

/** A line for a fee may say it as units and price, or in its column for fees. */
function ownFee({ quantity, price, fees }: StatementEntry, cash: Direction | undefined): Cash {
  const product = quantity === undefined || price === undefined ? 0n : multiply(toFixed(quantity), toFixed(price));
  const total = magnitude(product) + magnitude(toFixed(fees ?? zeroDecimal));
  return total === 0n ? {} : { amount: withSign(fromFixed(total), cash ?? 'out') };
}

function afterCosts(gross: Decimal, costs: readonly (Decimal | undefined)[]): Decimal {
  return fromFixed(costs.reduce((left, cost) => left - (cost === undefined ? 0n : toFixed(cost)), toFixed(gross)));
}

/**
 * The entry by its word, if the shared vocabulary knows it and the figures fit what it says; otherwise the entry waits for a mapping of the
 * word, with its figures as the file states them.
 */
export function entryByWord(untyped: UntypedEntry, word: string): StatementEntry {
  const { fields, signs } = untyped;
  const meaning = fittingMeaning(untyped, meaningOfWord(word));
  const typeWord = wordIn(word);
  if (meaning === undefined) return { ...fields, typeWord, byWord: { isKnown: false, signs } };
  return withOriginal({ ...typedEntry(untyped, meaning), typeWord }, fields, signs);
}

function wordIn(text: string): string {
  return cutText(text.trim(), wordLengthMax);
}

/** The entry of a bank statement by its word. A word that nobody knows is a payment, which a mapping may correct. */
export function bankEntryByWord(untyped: UntypedEntry, word: string): StatementEntry {
  const entry = entryByWord(untyped, word);
  if (entry.byWord?.isKnown !== false) return entry;
  return withOriginal(
    { ...typedEntry(untyped, { kind: 'flow' }), typeWord: wordIn(word) },
    untyped.fields,
    untyped.signs,
  );
}

/** The entry again with the meaning that a person gives its word. */
export function retypedEntry(entry: StatementEntry, meaning: WordMeaning): StatementEntry {
  const { byWord, ...fields } = entry;
  if (byWord === undefined) return entry;
  const computed = new Set<string>(byWord.computed ?? []);
  const own = Object.fromEntries(
    Object.entries(fields).filter(([name]) => !computed.has(name)),
  ) as unknown as StatementEntry;
  return typedEntry({ fields: { ...own, ...byWord.stated }, signs: byWord.signs }, meaning);
}

const fieldsOfType = [
  'amount',
  'grossAmount',
  'quantity',
  'price',
  'fees',
  'instrument',
  'counterAccount',
  'category',
] as const satisfies readonly (keyof FieldsByType)[];

/** Keeps what is lost of the fields that the file states, so that another type can still be given to the entry. */
function withOriginal(entry: StatementEntry, original: StatementEntry, signs: CashSigns): StatementEntry {
  const differing = fieldsOfType.filter((name) => entry[name] !== original[name]);
  const lost = differing.filter((name) => original[name] !== undefined);
  const computed = differing.filter((name) => original[name] === undefined);
  const byWord: EntryByWord = {
    isKnown: true,
    signs,
    ...(lost.length > 0 && { stated: Object.fromEntries(lost.map((name) => [name, original[name]])) }),
    ...(computed.length > 0 && { computed }),
  };
  return { ...entry, byWord };
}

function withoutFieldsByType(fields: StatementEntry): StatementEntry {
  const others = { ...fields };
  for (const name of fieldsOfType)
    delete (others as { -readonly [N in keyof StatementEntry]: StatementEntry[N] })[name];
  return others;
}

/** A word for a trade means none in a row without units, and so on: then somebody has to say what the row is. */
function fittingMeaning({ fields, signs }: UntypedEntry, meaning: WordMeaning | undefined): WordMeaning | undefined {
  if (meaning === undefined) return undefined;
  const { quantity, price, instrument, counterAmount } = fields;
  const amount = fields.amount ?? fields.grossAmount;
  const isComputed = amount === undefined && quantity !== undefined && price !== undefined && instrument === undefined;
  const isDirected = signs !== 'by-type' || amount === '0' || (amount === undefined && !isComputed);
  // Some programs write a quantity of 1 in rows of cash.
  const hasUnits = quantity !== undefined && instrument !== undefined;
  if (meaning.isReversal)
    return isDirected && !hasUnits && isCashKind(meaning) ? withoutDirections(meaning) : undefined;
  switch (meaning.kind) {
    case 'trade':
      return quantity === undefined ? undefined : meaning;
    case 'redemption':
    case 'corporate-action':
    case 'capital-call':
    case 'distribution':
      return instrument === undefined ? undefined : meaning;
    case 'fx':
      if (counterAmount !== undefined) return meaning;
      // Each currency of the exchange has a row of its own, as in the statements of its two accounts.
      return isDirected && !hasUnits ? { kind: 'flow' } : undefined;
    case 'flow': {
      if (meaning.cash !== undefined) return meaning;
      const isUnsignedUnits = hasUnits && amount === undefined && !quantity.startsWith('-');
      return isDirected && !isUnsignedUnits ? meaning : undefined;
    }
    case 'interest':
    case 'dividend':
    case 'coupon':
    case 'fee':
    case 'forward-settlement':
      return meaning;
  }
}

function isCashKind({ kind }: WordMeaning): boolean {
  const { amount } = traitsOfKind(kind);
  return amount === 'income' || amount === 'charge' || amount === 'transfer';
}

function withoutDirections({ kind, category }: WordMeaning): WordMeaning {
  return category === undefined ? { kind } : { kind, category };
}
