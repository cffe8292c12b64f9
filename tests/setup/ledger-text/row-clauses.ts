// What may follow the first words of a transaction in a ledger text, in any order: fees, rates, lots, dates. Knows not which
// transaction has what.

import type { DatedQuantityAndCost, NamedLot } from '../../../src/engine/lots/lot.ts';
import type { Day } from '../../../src/kit/day.ts';
import type { Fixed } from '../../../src/kit/fixed.ts';
import type { Words } from './words.ts';

export interface RowClauses {
  fees: Fixed;
  taxes: Fixed;
  /** Interest bought or sold. */
  accrued?: Fixed;
  /** Of an index-linked bond, factor ÷ base factor. */
  index?: Fixed;
  /** 1 of the instrument's currency in that of the cash. */
  rate?: Fixed;
  /** The cash itself, where it is not what the rest says. */
  amount?: Fixed;
  cashCurrency?: string;
  settles?: Day;
  label?: string;
  named: NamedLot[];
  lots: DatedQuantityAndCost[];
  category?: string;
  withheld?: Fixed;
  units?: Fixed;
  unfunded?: Fixed;
  recallable?: Fixed;
  /** Target units that were paid out. */
  inLieu?: Fixed;
  worth?: Fixed;
}

export type ClauseWord =
  | 'fees'
  | 'taxes'
  | 'accrued'
  | 'index'
  | 'rate'
  | 'amount'
  | 'in'
  | 'settles'
  | 'lot'
  | 'from'
  | 'acquired'
  | 'category'
  | 'withheld'
  | 'units'
  | 'unfunded'
  | 'recallable'
  | 'in-lieu'
  | 'worth';

/** Rows by the names that lots were given. */
export type Labels = ReadonlyMap<string, number>;

type ClauseReader = (words: Words, clauses: RowClauses, labels: Labels) => void;

const readers: Readonly<Record<ClauseWord, ClauseReader>> = {
  fees: (words, clauses) => void (clauses.fees = words.amount()),
  taxes: (words, clauses) => void (clauses.taxes = words.amount()),
  accrued: (words, clauses) => void (clauses.accrued = words.amount()),
  index: (words, clauses) => void (clauses.index = words.amount()),
  rate: (words, clauses) => void (clauses.rate = words.amount()),
  amount: (words, clauses) => void (clauses.amount = words.amount()),
  in: (words, clauses) => void (clauses.cashCurrency = words.next('a currency')),
  settles: (words, clauses) => void (clauses.settles = words.date()),
  lot: (words, clauses) => void (clauses.label = words.next('a name')),
  from: (words, clauses, labels) => void clauses.named.push(readNamedLot(words, labels)),
  acquired: (words, clauses) => void clauses.lots.push(readDatedLot(words)),
  category: (words, clauses) => void (clauses.category = words.next('a category')),
  withheld: (words, clauses) => void (clauses.withheld = words.amount()),
  units: (words, clauses) => void (clauses.units = words.amount()),
  unfunded: (words, clauses) => void (clauses.unfunded = words.amount()),
  recallable: (words, clauses) => void (clauses.recallable = words.amount()),
  'in-lieu': (words, clauses) => void (clauses.inLieu = words.amount()),
  worth: (words, clauses) => void (clauses.worth = words.amount()),
};

export function readRowClauses(words: Words, labels: Labels, allowed: readonly ClauseWord[]): RowClauses {
  const clauses: RowClauses = { fees: 0n, taxes: 0n, named: [], lots: [] };
  const known: readonly ClauseWord[] = [...allowed, 'settles', 'lot'];
  words.clauses(new Map(known.map((word) => [word, () => readers[word](words, clauses, labels)])));
  return clauses;
}

/** `from early 40`: the lot that the row with this name opened; `from early.1 40` its second. */
function readNamedLot(words: Words, labels: Labels): NamedLot {
  const [label, ordinal = '0'] = words.next('a lot').split('.');
  const row = labels.get(label!) ?? words.fail(`there is no lot "${label}"`);
  return { row, ordinal: Number(ordinal), quantity: words.amount() };
}

/** `acquired 2020-01-05 60 cost 500 reference 450`: 60 units with their history; the costs are one where one is said. */
function readDatedLot(words: Words): DatedQuantityAndCost {
  const acquired = words.date();
  const quantity = words.amount();
  words.expect('cost');
  const cost = words.amount();
  return {
    acquired,
    quantity,
    cost,
    referenceCost: words.skip('reference') ? words.amount() : cost,
    isEstimated: false,
  };
}
