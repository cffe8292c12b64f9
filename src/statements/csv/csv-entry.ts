// What one line of a file of transactions means.

import { isIncome, tradesUnits, traitsOfKind } from '../../model/ledger/kind-traits.ts';
import { zeroDecimal, type Decimal } from '../../kit/decimal.ts';
import { divide, magnitude, multiply, oneFixed, toFixed, type Fixed } from '../../kit/fixed.ts';
import type { CashSigns, NamedAccount, StatementEntry } from '../../model/custody/statement.ts';
import { cutText, shortened } from '../short-text.ts';
import { withSign } from '../signed-values.ts';
import { negated } from '../stated-values.ts';
import { stated } from '../stated-fields.ts';
import { bankEntryByWord, entryByWord, typedEntry, type UntypedEntry } from '../typed-entry.ts';
import type { UsedReferences } from '../used-references.ts';
import type { CsvCells } from './csv-cells.ts';
import type { CsvSpelling } from './csv-spelling.ts';
import { matchesWord } from './folded-name.ts';
import { instrumentOf } from './csv-instrument.ts';
import type { ProfileMeaning, TypeWords } from './csv-type.ts';
import { meaningOfWord, type WordMeaning } from '../type-vocabulary.ts';
import { UnknownWord } from './unknown-word.ts';

const commentLengthMax = 2_000;

/** The entry of a line, and a fee or tax in another currency, which is an entry of its own. */
export function entriesOf(cells: CsvCells, words: TypeWords, references: UsedReferences): StatementEntry[] {
  const reference = cells.first('reference');
  const untyped = untypedEntry(cells, reference && references.distinct(reference));
  const foreign = foreignCosts(cells, untyped.fields);
  const entry = typed(cells, words, foreign.length === 0 ? untyped : withoutCostsOf(untyped, foreign));
  if (entry.amount === undefined && entry.quantity === undefined && entry.byWord?.isKnown !== false)
    throw cells.fault('amount', 'The line has neither an amount nor a quantity.');
  refuseUncertainRate(cells, entry);
  return [entry, ...foreign.map(({ cost }) => cost)];
}

/** Without an amount to compare with, nothing says in which direction an exchange rate is quoted. */
function refuseUncertainRate(cells: CsvCells, { kind, byWord, amount, price, exchangeRate }: StatementEntry): void {
  if (!tradesUnits(kind)) return;
  if (byWord?.isKnown === false || amount !== undefined || price === undefined) return;
  if (exchangeRate === undefined || exchangeRate === '1') return;
  throw new UnknownWord(
    { line: cells.line, field: cells.nameOf('exchangeRate') },
    `The line has an exchange rate of ${exchangeRate} and no amount, so nothing says which way the rate is quoted. Name the column of the amount in a profile.`,
  );
}

function typed(cells: CsvCells, words: TypeWords, untyped: UntypedEntry): StatementEntry {
  const typeWords = cells.texts('type');
  const meaning = words.meaningOf(typeWords);
  if (meaning !== undefined) {
    const fields = moved(untyped.fields, meaning);
    const signs = meaning.isDirected ? 'by-type' : untyped.signs;
    const entry = withoutRefunds(typedEntry({ fields, signs }, { ...meaning, ...unitsOf(fields, meaning) }));
    return meaning.cancels ? { ...entry, cancels: 'same-content' } : entry;
  }
  const [word] = typeWords;
  if (word !== undefined) return entryByWord(untyped, word);
  return wordlessEntry(cells, untyped);
}

/** What counts of a line that states more than it moves. */
function moved(fields: StatementEntry, { moves }: ProfileMeaning): StatementEntry {
  if (moves === 'cash') {
    const { quantity: _quantity, price: _price, foreignPrice: _foreign, ...others } = fields;
    return others;
  }
  if (moves === 'units') {
    const { amount: _amount, grossAmount: _gross, fees: _fees, taxes: _taxes, ...others } = fields;
    return others;
  }
  return fields;
}

/** Which way the units go, where the type leaves it to the signs of the line. */
function unitsOf(fields: StatementEntry, { kind, units, isByCash }: ProfileMeaning): Pick<WordMeaning, 'units'> {
  const { quantity } = fields;
  const amount = fields.amount ?? fields.grossAmount ?? zeroDecimal;
  if (isByCash && amount !== zeroDecimal) return { units: amount.startsWith('-') ? 'in' : 'out' };
  if (traitsOfKind(kind).units === 'delivered' && quantity?.startsWith('-') === true) return { units: 'out' };
  return units === undefined ? {} : { units };
}

/** A tax that comes back with a sale is in its amount; only income has taxes with a sign. */
function withoutRefunds(entry: StatementEntry): StatementEntry {
  const { fees, taxes, ...others } = entry;
  const kept = stated<Pick<StatementEntry, 'fees' | 'taxes'>>({
    fees: fees?.startsWith('-') === true ? undefined : fees,
    taxes: taxes?.startsWith('-') === true && !isIncome(entry.kind) ? undefined : taxes,
  });
  return { ...others, ...kept };
}

/** Without a word, cash alone is a deposit or a withdrawal, and units against cash are a trade if their signs say its direction. */
function wordlessEntry(cells: CsvCells, untyped: UntypedEntry): StatementEntry {
  const { amount, quantity } = untyped.fields;
  const movesBoth = quantity !== undefined && amount !== undefined && amount !== zeroDecimal;
  if (!movesBoth) {
    const title = quantity === undefined ? cells.texts('comment').find((text) => isTitle(text, amount)) : undefined;
    return title === undefined ? typedEntry(untyped, { kind: 'flow' }) : bankEntryByWord(untyped, title);
  }
  const isOpposed = untyped.signs !== 'by-type' && quantity.startsWith('-') !== amount.startsWith('-');
  if (isOpposed) return typedEntry(untyped, { kind: 'trade' });
  const place = {
    line: cells.line,
    field: cells.nameOf(cells.columns.indexesOf('type').length > 0 ? 'type' : 'quantity'),
  };
  throw new UnknownWord(
    place,
    'The line has units and cash. No word says what it is, and their signs do not say it either.',
  );
}

const titleForm = /^\p{L}[\p{L}-]*(?: \p{L}[\p{L}-]*){0,2}$/u;

/**
 * Whether the text of a bank's line is its word for income or costs (`Zinsen`, `Custody fee`) and no sentence about a payment. Money that goes the
 * other way than the word says is a payment to or from somebody.
 */
function isTitle(text: string, amount: Decimal | undefined): boolean {
  const meaning = amount === undefined || !titleForm.test(text.trim()) ? undefined : meaningOfWord(text);
  if (meaning === undefined || meaning.category !== undefined || meaning.isReversal === true) return false;
  const { kind, cash } = meaning;
  const { amount: basis, income } = traitsOfKind(kind);
  if (income === 'interest') return true;
  if (basis !== 'charge' && basis !== 'income') return false;
  return cash === (amount?.startsWith('-') === true ? 'out' : 'in');
}

/** What the line says, whatever its type. */
function untypedEntry(cells: CsvCells, reference: string | undefined): UntypedEntry {
  const currency = cells.currency('currency');
  const [fees, taxes] = [cells.costs('fees', currency), cells.costs('taxes', currency)];
  const texts = [...cells.texts('comment'), ...fees.others, ...taxes.others];
  const comment = cutText(texts.join(', '), commentLengthMax).trim();
  const counterNumber = cells.first('counterAccount');
  const { amount, grossAmount, signs } = cashOf(cells);
  const fields = stated<StatementEntry>({
    item: 'entry',
    place: { line: cells.line },
    account: accountOf(cells),
    depository: depositoryOf(cells),
    status: isPending(cells, cells.text('status')) ? 'pending' : 'booked',
    kind: 'flow',
    reference,
    date: cells.requiredDate(),
    settlementDate: cells.date('settlementDate'),
    amount,
    grossAmount,
    currency,
    instrument: instrumentOf(cells),
    quantity: nonZero(cells.number('quantity')),
    price: cells.price(currency),
    foreignPrice: cells.foreignPrice(currency),
    fees: nonZero(fees.sum),
    taxes: nonZero(taxes.sum),
    accruedInterest: nonZero(cells.sum('accruedInterest')),
    exchangeRate: cells.number('exchangeRate'),
    counterAccount: counterNumber === undefined ? undefined : { number: counterNumber },
    counterAmount: cells.number('counterAmount'),
    counterCurrency: cells.currency('counterCurrency'),
    comment: comment || undefined,
    typeWord: cells.texts('type').join(' ') || undefined,
  });
  const netted = withNetCosts(cells, fields);
  return { fields: isBeforeCosts(netted) ? grossOf(netted) : netted, signs };
}

/** Of columns with both signs, a rebate is taken off where units, price and amount say so. */
function withNetCosts(cells: CsvCells, fields: StatementEntry): StatementEntry {
  const { amount, quantity, price, fees, taxes } = fields;
  if (amount === undefined || quantity === undefined || price === undefined) return fields;
  if (cells.texts('fees').length < 2 && cells.texts('taxes').length < 2) return fields;
  const net = { fees: nonZero(cells.netSum('fees')), taxes: nonZero(cells.netSum('taxes')) };
  if (net.fees === fees && net.taxes === taxes) return fields;
  const units = magnitude(toFixed(quantity));
  const difference = magnitude(magnitude(toFixed(amount)) - magnitude(multiply(units, toFixed(price))));
  const fits = (costs: Pick<StatementEntry, 'fees' | 'taxes'>): boolean =>
    magnitude(difference - costsOf(costs)) <= roundingOf(units, price);
  const { fees: _fees, taxes: _taxes, ...others } = fields;
  const rebated = stated<StatementEntry>({ ...others, ...net });
  return fits(rebated) && !fits(fields) ? rebated : fields;
}

function costsOf({ fees, taxes }: Pick<StatementEntry, 'fees' | 'taxes'>): Fixed {
  return toFixed(fees ?? zeroDecimal) + toFixed(taxes ?? zeroDecimal);
}

interface StatedCash {
  readonly amount?: Decimal | undefined;
  readonly grossAmount?: Decimal | undefined;
  readonly signs: CashSigns;
}

function cashOf(cells: CsvCells): StatedCash {
  const [credit, debit] = [nonZero(cells.number('credit')), nonZero(cells.number('debit'))];
  if (credit !== undefined && debit !== undefined) {
    const names = `${cells.nameOf('credit')} and ${cells.nameOf('debit')}`;
    throw cells.fault('debit', `The line has an amount in both ${names}.`);
  }
  if (credit !== undefined) return signedCash(cells, { amount: withSign(credit, 'in') }, true);
  if (debit !== undefined) return signedCash(cells, { amount: withSign(debit, 'out') }, true);
  const amount = cells.number('amount') ?? cells.number('credit') ?? cells.number('debit');
  return signedCash(cells, amount === undefined ? { grossAmount: cells.number('grossAmount') } : { amount }, false);
}

/** Credit and debit columns say the direction like a word for it: both go before the signs of the profile, except that of a word. */
function signedCash(cells: CsvCells, cash: Omit<StatedCash, 'signs'>, isDirected: boolean): StatedCash {
  const direction = directionOf(cells);
  const map = (change: (value: Decimal) => Decimal): Omit<StatedCash, 'signs'> => ({
    amount: cash.amount && change(cash.amount),
    grossAmount: cash.grossAmount && change(cash.grossAmount),
  });
  if (direction !== undefined) return { ...map((value) => withSign(value, direction)), signs: 'stated' };
  if (cells.signs === 'reversed') return { ...map(negated), signs: 'stated' };
  return { ...cash, signs: isDirected ? 'stated' : statedSigns[cells.signs] };
}

const statedSigns: Readonly<Record<Exclude<CsvSpelling['signs'], 'reversed'>, CashSigns>> = {
  'as-stated': 'stated',
  'by-type': 'by-type',
  'trades-by-type': 'trades-by-type',
};

function nonZero(value: Decimal | undefined): Decimal | undefined {
  return value === '0' ? undefined : value;
}

function isPending({ profile }: CsvCells, word: string | undefined): boolean {
  return word !== undefined && profile.pendingWords.some((one) => matchesWord(word, one));
}

function directionOf(cells: CsvCells): 'in' | 'out' | undefined {
  const word = cells.text('direction');
  const { directionWords } = cells.profile;
  if (word === undefined || directionWords == null) return undefined;
  if (directionWords.in.some((one) => matchesWord(word, one))) return 'in';
  if (directionWords.out.some((one) => matchesWord(word, one))) return 'out';
  throw new UnknownWord(
    { line: cells.line, field: cells.nameOf('direction') },
    `The profile does not say whether "${shortened(word)}" means in or out. Add the word to its direction_words.`,
  );
}

/** A cent, or half a unit in the last place of the price for every unit. */
function roundingOf(quantity: Fixed, price: Decimal): Fixed {
  const places = price.split('.')[1]?.length ?? 0;
  const byPrice = places === 0 ? 0n : multiply(quantity, oneFixed / (2n * 10n ** BigInt(Math.min(places, 17))));
  const cent = oneFixed / 100n;
  return byPrice > cent ? byPrice : cent;
}

/** Whether the amount is that before fees and taxes: units × price, or per 100 of a nominal, without them. */
function isBeforeCosts(entry: StatementEntry): boolean {
  const { amount, quantity, price, accruedInterest, exchangeRate } = entry;
  if (amount === undefined || quantity === undefined || price === undefined) return false;
  if (exchangeRate !== undefined && exchangeRate !== '1') return false;
  const costs = costsOf(entry);
  const units = magnitude(toFixed(quantity));
  const [tolerance, cash] = [roundingOf(units, price), magnitude(toFixed(amount))];
  if (costs <= 2n * tolerance) return false;
  const worth = magnitude(multiply(units, toFixed(price)));
  const accrued = magnitude(toFixed(accruedInterest ?? zeroDecimal));
  return [worth, divide(worth, 100n * oneFixed)].some((clean) => magnitude(clean + accrued - cash) <= tolerance);
}

function grossOf({ amount, ...fields }: StatementEntry): StatementEntry {
  return stated<StatementEntry>({ ...fields, grossAmount: amount });
}

interface ForeignCost {
  readonly field: 'fees' | 'taxes';
  readonly cost: StatementEntry;
}

/** Fees and taxes in another currency than the amount are no part of it. */
function foreignCosts(
  cells: CsvCells,
  { place, account, status, date, settlementDate, ...entry }: StatementEntry,
): ForeignCost[] {
  return (['fees', 'taxes'] as const).flatMap((field) => {
    const [cost, currency] = [entry[field], cells.currency(`${field}Currency`)];
    if (cost === undefined || currency === undefined || currency === entry.currency) return [];
    if (entry.currency === undefined) return [];
    const suffixed = entry.reference && `${entry.reference}/${field}`;
    const fields = stated<StatementEntry>({
      item: 'entry',
      place,
      account,
      status,
      kind: 'fee',
      reference: suffixed,
      date,
      settlementDate,
      amount: withSign(cost, 'out'),
      currency,
      category: field === 'taxes' ? 'tax' : undefined,
      comment: entry.comment,
      typeWord: entry.typeWord,
    });
    return [{ field, cost: fields }];
  });
}

function withoutCostsOf({ fields, signs }: UntypedEntry, foreign: readonly ForeignCost[]): UntypedEntry {
  const { fees, taxes, ...others } = fields;
  const isForeign = (field: 'fees' | 'taxes'): boolean => foreign.some((one) => one.field === field);
  const kept = stated<Pick<StatementEntry, 'fees' | 'taxes'>>({
    fees: isForeign('fees') ? undefined : fees,
    taxes: isForeign('taxes') ? undefined : taxes,
  });
  return { fields: { ...others, ...kept }, signs };
}

export function accountOf(cells: CsvCells): NamedAccount | undefined {
  const { constants } = cells.profile;
  const number = cells.text('account') ?? constants.account ?? undefined;
  if (number === undefined) return undefined;
  return stated<NamedAccount>({ number, institution: constants.institution ?? undefined });
}

export function depositoryOf(cells: CsvCells): NamedAccount | undefined {
  const number = cells.text('depository');
  return number === undefined ? undefined : { number };
}
