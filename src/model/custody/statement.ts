// What a custodian's file or feed says, independent of its format: readers produce these items, imports book them, and
// reconciliation compares them with the ledger.

import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Decimal } from '../../kit/decimal.ts';
import type { CorporateActionType, TransactionKind } from '../ledger/transaction-kind.ts';

/** Where an item is in its file, for messages and for the rows of an import. */
export interface SourcePlace {
  /** Counted from one. */
  readonly line: number;
  /** The element, tag or column, in the words of the format: `Ntry/Amt`, `:61:`, `TRNAMT`, `Betrag`. */
  readonly field?: string;
}

/** The words of a file for an account or depository. Compared without spaces and without regard to case. */
export interface NamedAccount {
  readonly number: string;
  readonly currency?: string;
  /** The institution's BIC, bank code or name. */
  readonly institution?: string;
}

/** The words of a file for an instrument: all that it says. */
export interface NamedInstrument {
  readonly isin?: string;
  readonly cusip?: string;
  readonly sedol?: string;
  readonly ticker?: string;
  /** The market identifier code of the ticker's exchange. */
  readonly mic?: string;
  /** The identifier that the custodian itself uses. */
  readonly custodianCode?: string;
  readonly name?: string;
  /** ISO 4217 code of its quotes. */
  readonly currency?: string;
  readonly type?: 'stock' | 'bond' | 'fund' | 'option' | 'other';
  readonly country?: string;
  /** Of a bond. */
  readonly maturity?: CalendarDate;
  readonly couponRate?: Decimal;
}

interface ItemBase {
  readonly place: SourcePlace;
  /** Absent if the file names none: the default account or depository of the import counts. */
  readonly account?: NamedAccount;
  /** When the file was made, as far as it says: of two that say different things about one reference, the later counts. */
  readonly statedAt?: string;
  /**
   * The statement of the file that it stands in, by the same text as its balances; pages of one statement share it. Equal entries
   * without a reference are counted within a statement.
   */
  readonly statement?: string;
}

/**
 * Something that moved money or units. Signs are those of the ledger: in is positive, out is negative. What has no kind is a
 * `flow` that a mapping or a person classifies.
 */
export interface StatementEntry extends ItemBase {
  readonly item: 'entry';
  /** A pending entry is reported and never booked. */
  readonly status: 'booked' | 'pending';
  readonly kind: TransactionKind;
  /** The custodian's own reference, unique within the account. */
  readonly reference?: string;
  /** This entry cancels the one with this reference; `same-content` if it cancels one that it repeats with the opposite sign. */
  readonly cancels?: { readonly reference: string } | 'same-content';
  readonly date: CalendarDate;
  readonly settlementDate?: CalendarDate;
  readonly executedAt?: string;
  /** The depository that keeps the units, if the file names it apart from the cash account. */
  readonly depository?: NamedAccount;
  /** Cash, in `currency`. */
  readonly amount?: Decimal;
  /** Cash before fees and taxes: only of an entry whose type is not known, since the type says which way they go. */
  readonly grossAmount?: Decimal;
  readonly currency?: string;
  readonly instrument?: NamedInstrument;
  readonly quantity?: Decimal;
  /** What the account holds after this entry, if its line says so. */
  readonly balance?: Decimal;
  readonly price?: Decimal;
  /** A price in another currency than the cash: with units and cash, it says the rate. */
  readonly foreignPrice?: ForeignPrice;
  readonly fees?: Decimal;
  readonly taxes?: Decimal;
  readonly accruedInterest?: Decimal;
  readonly exchangeRate?: Decimal;
  /** The other leg of an exchange of currencies or of a transfer between own accounts. */
  readonly counterAccount?: NamedAccount;
  readonly counterAmount?: Decimal;
  readonly counterCurrency?: string;
  readonly ratio?: string;
  /** Of a corporate action; without it, a person has to classify the entry. */
  readonly action?: CorporateActionType;
  readonly targetInstrument?: NamedInstrument;
  readonly category?: string;
  readonly comment?: string;
  /** The custodian's own word or code for what it is, which a mapping profile may translate. */
  readonly typeWord?: string;
  /** Set if neither the format nor the mapping profile says what kind it is, but `typeWord`: an identifier mapping of it decides. */
  readonly byWord?: EntryByWord;
}

export interface ForeignPrice {
  readonly price: Decimal;
  /** A code of ISO 4217, or of hundredths such as GBX. */
  readonly currency: string;
}

/** Fields that depend on the type of an entry: their signs, and whether they count. */
export type FieldsByType = Pick<
  StatementEntry,
  'amount' | 'grossAmount' | 'quantity' | 'price' | 'fees' | 'instrument' | 'counterAccount' | 'category'
>;

/** Whether the amount of an entry has its sign or takes it from the type; of a trade it may take it while that of other types is stated. */
export type CashSigns = 'stated' | 'by-type' | 'trades-by-type';

export interface EntryByWord {
  /** Whether the service itself knows the word. If not, the entry waits for a mapping, and its fields are as the file states them. */
  readonly isKnown: boolean;
  readonly signs: CashSigns;
  /** If the word is known: what the file states otherwise than the entry has it, for a mapping that says another type. */
  readonly stated?: FieldsByType;
  /** Fields of the entry that the file does not state. */
  readonly computed?: readonly (keyof FieldsByType)[];
}

/** What an account holds in cash at the beginning or the end of a day. */
export interface StatementBalance extends ItemBase {
  readonly item: 'balance';
  readonly moment: 'opening' | 'closing';
  /** An opening balance is that before the entries of this day. */
  readonly date: CalendarDate;
  readonly amount: Decimal;
  readonly currency: string;
  /** A statement has one opening and one closing balance; its entries lead from one to the other. */
  readonly statement: string;
}

/** What a depository or account holds of one instrument at the end of a day. */
export interface StatementPosition extends ItemBase {
  readonly item: 'position';
  readonly date: CalendarDate;
  readonly instrument: NamedInstrument;
  readonly quantity: Decimal;
  readonly price?: Decimal;
  readonly priceDate?: CalendarDate;
  readonly currency?: string;
  readonly value?: Decimal;
  readonly valueCurrency?: string;
  readonly cost?: Decimal;
}

export interface StatedPrice extends ItemBase {
  readonly item: 'price';
  readonly series: 'price' | 'net-asset-value' | 'interest-rate' | 'index-factor';
  readonly instrument: NamedInstrument;
  readonly date: CalendarDate;
  readonly value: Decimal;
}

/** 1 `base` is `rate` `quote`. */
export interface StatedRate extends ItemBase {
  readonly item: 'fx-rate';
  readonly base: string;
  readonly quote: string;
  readonly date: CalendarDate;
  readonly rate: Decimal;
}

/** What a file says about an instrument beside its positions: enough to create it. */
export interface StatedInstrument extends ItemBase {
  readonly item: 'instrument';
  readonly instrument: NamedInstrument;
}

/** Part of the file that cannot be understood. It becomes a refused row: nothing is skipped in silence. */
export interface StatementProblem extends ItemBase {
  readonly item: 'problem';
  readonly detail: string;
  /** Set where a mapping profile would make it readable: the row then waits for one instead of being refused. */
  readonly needs?: 'mapping' | 'date-order';
  /** For `date-order`: what it says in each order. */
  readonly readings?: DateReadings;
  /** Set where the file says that it has no value: nothing is missing, and nothing is booked. */
  readonly isNotAvailable?: true;
  /** For `mapping`: the cells of a line that no profile reads yet, so that it can be read once somebody says what its columns mean. */
  readonly cells?: readonly string[];
  /** Only of the first such line: the header, and the lines above it. */
  readonly linesAbove?: readonly UnreadLine[];
}

export interface UnreadLine {
  readonly line: number;
  readonly cells: readonly string[];
}

export interface DateReadings {
  readonly 'day-month-year': Exclude<StatementItem, StatementProblem>;
  readonly 'month-day-year': Exclude<StatementItem, StatementProblem>;
}

/** What the file as a whole has that nobody reads. It becomes a warning of the import. */
export interface StatementNotice extends ItemBase {
  readonly item: 'notice';
  readonly code: 'columns-not-read';
  readonly detail: string;
  readonly columns: readonly UnreadColumn[];
}

/** A column of a file with values that nobody reads. */
export interface UnreadColumn {
  readonly name: string;
  /** How many rows have a value in it. */
  readonly rows: number;
  /** The first value, and its line. */
  readonly example: string;
  readonly line: number;
}

export type StatementItem =
  | StatementNotice
  | StatementEntry
  | StatementBalance
  | StatementPosition
  | StatedPrice
  | StatedRate
  | StatedInstrument
  | StatementProblem;

/** Reads one format from text that arrives in pieces. Throws a `StatementFault` if nothing after this place can be read. */
export interface StatementReader {
  push(chunk: string): StatementItem[];
  end(): StatementItem[];
}

/** The file as a whole is not what it claims to be, from this place on. Its message is for the sender of the file. */
export class StatementFault extends Error {
  readonly place: SourcePlace;
  /** The message without its line. */
  readonly detail: string;

  constructor(place: SourcePlace, detail: string) {
    super(`Line ${place.line}: ${detail}`);
    this.name = 'StatementFault';
    this.place = place;
    this.detail = detail;
  }
}
