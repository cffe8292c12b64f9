// Reads the clauses of a transaction in a ledger text, in any order: fees, rates, lots, dates.

import type { DatedQuantityAndCost, NamedLot } from '../../../src/engine/lots/lot.ts';
import type { Day } from '../../../src/kit/day.ts';
import type { Fixed } from '../../../src/kit/fixed.ts';
import type { Words } from './words.ts';

export interface RowClauses {
  fees: Fixed;
  taxes: Fixed;
  /** Accrued interest bought or sold. */
  accrued?: Fixed;
  /** For an index-linked bond: factor ÷ base factor. */
  index?: Fixed;
  /** The value of 1 unit of the instrument's currency in the currency of the cash. */
  rate?: Fixed;
  /** The cash amount, if it does not follow from the other clauses. */
  amount?: Fixed;
  cashCurrency?: string;
  settles?: Day;
  label?: string;
  named: NamedLot[];
  lots: DatedQuantityAndCost[];
  category?: string;
  withheld?: Fixed;
  /** The last day that interest is paid for. */
  until?: Day;
  units?: Fixed;
  unfunded?: Fixed;
  recallable?: Fixed;
  /** Fractional target units that were paid out in cash. */
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
  | 'until'
  | 'units'
  | 'unfunded'
  | 'recallable'
  | 'in-lieu'
  | 'worth';

/** Row numbers by the label of their lots. */
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
  until: (words, clauses) => void (clauses.until = words.date()),
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

/** `from early 40`: the lot opened by the row with this label; `from early.1 40` its second lot. */
function readNamedLot(words: Words, labels: Labels): NamedLot {
  const [label, ordinal = '0'] = words.next('a lot').split('.');
  const row = labels.get(label!) ?? words.fail(`there is no lot "${label}"`);
  return { row, ordinal: Number(ordinal), quantity: words.amount() };
}

/** `acquired 2020-01-05 60 cost 500 reference 450`: 60 units with their history; a single cost counts in both currencies. */
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
