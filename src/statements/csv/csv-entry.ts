// What one line of a file of transactions means.

import type { Decimal } from '../../kit/decimal.ts';
import { magnitude, toFixed } from '../../kit/fixed.ts';
import type { NamedAccount, NamedInstrument, StatementEntry } from '../../model/custody/statement.ts';
import type { TransactionKind } from '../../model/ledger/transaction-kind.ts';
import { cutText, shortened } from '../short-text.ts';
import { opposite, withSign } from '../signed-values.ts';
import { negated } from '../stated-values.ts';
import { stated } from '../stated-fields.ts';
import type { UsedReferences } from '../used-references.ts';
import type { CsvCells } from './csv-cells.ts';
import { matchesWord } from './csv-header.ts';
import { instrumentOf } from './csv-instrument.ts';
import type { TypeMeaning, TypeWords } from './csv-type.ts';
import { UnknownWord } from './unknown-word.ts';

const commentLengthMax = 2_000;

/** Kinds whose rows have units. */
const kindsWithUnits: ReadonlySet<TransactionKind> = new Set(['trade', 'redemption', 'flow', 'corporate-action']);
/** Kinds that are of an instrument. */
const kindsOfInstruments: ReadonlySet<TransactionKind> = new Set([
  'trade',
  'redemption',
  'dividend',
  'coupon',
  'corporate-action',
  'capital-call',
  'distribution',
]);

export function entryOf(cells: CsvCells, words: TypeWords, references: UsedReferences): StatementEntry {
  const typeWords = cells.texts('type');
  const meaning = words.meaningOf(typeWords);
  const stateWord = cells.text('status');
  const currency = cells.currency('currency');
  const costs = costsOf(cells, meaning, currency);
  const amount = meaning.moves === 'units' ? undefined : amountOf(cells, meaning, costs.isAdded ? costs.sum : 0n);
  const quantity = meaning.moves === 'cash' ? undefined : quantityOf(cells, meaning, amount);
  if (amount === undefined && quantity === undefined)
    throw cells.fault('amount', 'The line has neither an amount nor a quantity.');
  refuseUnknownWord(cells, meaning, typeWords);
  const { kind } = meaning;
  const reference = cells.first('reference');
  const comment = cutText([...cells.texts('comment'), ...costs.others].join(', '), commentLengthMax).trim();
  return stated<StatementEntry>({
    item: 'entry',
    place: { line: cells.line },
    account: accountOf(cells),
    depository: depositoryOf(cells),
    status: isPending(cells, stateWord) ? 'pending' : 'booked',
    kind,
    action: meaning.action,
    reference: reference && references.distinct(reference),
    cancels: meaning.cancels ? 'same-content' : undefined,
    date: cells.requiredDate(),
    settlementDate: cells.date('settlementDate'),
    amount,
    currency,
    instrument: instrumentFor(cells, kind, quantity),
    quantity,
    ...(meaning.moves === 'units' ? {} : { fees: costs.fees, taxes: costs.taxes }),
    ...moneyBesides(cells, kind, currency),
    comment: comment || undefined,
    typeWord: typeWords.join(' ') || undefined,
  });
}

function isPending({ profile }: CsvCells, word: string | undefined): boolean {
  return word !== undefined && profile.pendingWords.some((one) => matchesWord(word, one));
}

/** A word that nobody has translated is a plain movement of cash, but may be anything for units. */
function refuseUnknownWord(cells: CsvCells, { isKnown }: TypeMeaning, words: readonly string[]): void {
  if (isKnown || (cells.number('quantity') ?? '0') === '0') return;
  throw new UnknownWord(
    { line: cells.line, field: cells.nameOf('type') },
    `The profile does not say what "${shortened(words.join(' '))}" means. Add the word to its types.`,
  );
}

interface CostsOfLine {
  readonly fees: Decimal | undefined;
  readonly taxes: Decimal | undefined;
  /** What the costs do to the cash, with the sign of the cash. */
  readonly sum: bigint;
  /** Whether the amount does not have them yet. */
  readonly isAdded: boolean;
  readonly others: readonly string[];
}

const kindsWithSignedTaxes: ReadonlySet<TransactionKind> = new Set(['dividend', 'coupon', 'interest']);

function costsOf(cells: CsvCells, { kind }: TypeMeaning, currency: string | undefined): CostsOfLine {
  const { costs } = cells.profile;
  const [fees, taxes] = [cells.costs('fees', currency), cells.costs('taxes', currency)];
  const cashOf = (values: readonly bigint[]): bigint =>
    values.reduce((sum, value) => sum + (costs === 'added' ? value : -magnitude(value)), 0n);
  const [feeCash, taxCash] = [cashOf(fees.values), cashOf(taxes.values)];
  // A refund that comes with a sale is in its amount; only income has taxes with a sign.
  const cost = (field: 'fees' | 'taxes', cash: bigint, isSigned: boolean): Decimal | undefined =>
    cash === 0n || (cash > 0n && !isSigned) ? undefined : cells.total(field, -cash);
  return {
    fees: cost('fees', feeCash, false),
    taxes: cost('taxes', taxCash, kindsWithSignedTaxes.has(kind)),
    sum: feeCash + taxCash,
    isAdded: costs !== 'included',
    others: [...fees.others, ...taxes.others],
  };
}

function amountOf(cells: CsvCells, meaning: TypeMeaning, costs: bigint): Decimal | undefined {
  const amount = signedAmount(cells, meaning);
  if (costs === 0n) return amount;
  return cells.total('amount', (amount === undefined ? 0n : toFixed(amount)) + costs);
}

function signedAmount(cells: CsvCells, { cash, direction, cancels }: TypeMeaning): Decimal | undefined {
  const amount = statedAmount(cells);
  if (amount === undefined) return undefined;
  if (direction === 'by-cash') return amount;
  const said = direction ?? directionOf(cells);
  if (said !== undefined) return withSign(amount, said);
  const { signs } = cells.profile;
  if (signs === 'reversed') return negated(amount);
  if (signs === 'as-stated' || cash === undefined) return amount;
  return withSign(amount, cancels ? opposite(cash) : cash);
}

function statedAmount(cells: CsvCells): Decimal | undefined {
  const [credit, debit] = [nonZero(cells.number('credit')), nonZero(cells.number('debit'))];
  if (credit !== undefined && debit !== undefined) {
    const names = `${cells.nameOf('credit')} and ${cells.nameOf('debit')}`;
    throw cells.fault('debit', `The line has an amount in both ${names}.`);
  }
  if (credit !== undefined) return withSign(credit, 'in');
  if (debit !== undefined) return withSign(debit, 'out');
  return cells.number('amount') ?? cells.number('credit') ?? cells.number('debit');
}

function nonZero(value: Decimal | undefined): Decimal | undefined {
  return value === '0' ? undefined : value;
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

function quantityOf(cells: CsvCells, meaning: TypeMeaning, amount: Decimal | undefined): Decimal | undefined {
  const { kind, units, cancels, direction, moves } = meaning;
  if (!kindsWithUnits.has(kind)) return undefined;
  const quantity = nonZero(cells.number('quantity'));
  if (quantity === undefined) return undefined;
  if (direction === 'by-cash') return withSign(quantity, amount?.startsWith('-') === true ? 'in' : 'out');
  if (moves === 'units' && direction !== undefined) return withSign(quantity, direction);
  // A flow, and what every line of the file is, leave the direction to the sign.
  const isAsStated = quantity.startsWith('-') && (kind === 'flow' || meaning.isForAll);
  if (units === undefined || isAsStated) return quantity;
  return withSign(quantity, cancels ? opposite(units) : units);
}

function instrumentFor(
  cells: CsvCells,
  kind: TransactionKind,
  quantity: Decimal | undefined,
): NamedInstrument | undefined {
  return kindsOfInstruments.has(kind) || quantity !== undefined ? instrumentOf(cells) : undefined;
}

type MoneyBesides = Pick<
  StatementEntry,
  | 'price'
  | 'accruedInterest'
  | 'exchangeRate'
  | 'counterAccount'
  | 'counterAmount'
  | 'counterCurrency'
>;

function moneyBesides(cells: CsvCells, kind: TransactionKind, currency: string | undefined): Partial<MoneyBesides> {
  const counterNumber = kind === 'fx' || kind === 'flow' ? cells.first('counterAccount') : undefined;
  return stated<Partial<MoneyBesides>>({
    price:
      kindsOfInstruments.has(kind) && kind !== 'dividend' && kind !== 'coupon' ? cells.price(currency) : undefined,
    accruedInterest: nonZero(cells.sum('accruedInterest')),
    exchangeRate: cells.number('exchangeRate'),
    counterAccount: counterNumber === undefined ? undefined : { number: counterNumber },
    counterAmount: cells.number('counterAmount'),
    counterCurrency: cells.currency('counterCurrency'),
  });
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
