// All that a client's figures are made of, put together for the engine: kept as long as nothing of it has changed, and made anew
// from what has not. Results are not kept. Knows no report.

import { hash } from 'node:crypto';
import type { Day } from '../../../kit/day.ts';
import type { Id } from '../../../kit/id.ts';
import type { History } from '../../../engine/history/history.ts';
import type { Ledger } from '../../../engine/ledger/ledger.ts';
import { convertedAmount, type ExchangeRates } from '../../../engine/currencies/exchange-rates.ts';
import type { HistoricalHolding } from '../../../model/ledger/historical-holding.ts';
import { findBooksStand, isSameStand } from '../../../store/report-inputs/inputs-version.ts';
import type { LedgerStand } from '../../../store/ledger/ledger-columns.ts';
import type { Remembered } from '../../../store/ledger/ledger-cache.ts';
import type { Store } from '../../../store/store.ts';
import type { LotTerms } from '../../ledger/engine-details.ts';
import {
  builtLedger,
  changedLedger,
  idsOfRows,
  unexplainedRows,
  type UnexplainedRow,
} from '../../ledger/engine-ledger.ts';
import type { Work } from '../../core/work.ts';
import { readInputs, readInputsKnownAt, type FreshInputs, type ReadInputs, type SnapshotWork } from './read-inputs.ts';
import { ClassLookup } from './class-lookup.ts';
import { historyOf, type Inputs } from './build-history.ts';
import type { ClientStructure } from './client-structure.ts';
import type { KnownInstrument } from './market-data-cache.ts';

export interface ClientBooks {
  readonly structure: ClientStructure;
  readonly history: History;
  readonly instruments: ReadonlyMap<string, KnownInstrument>;
  readonly classes: ClassLookup;
  /** The reporting entities that instruments are private to, where they are. */
  readonly privateTo: ReadonlyMap<string, Id>;
  /** In the order in which the history has them. */
  readonly uploads: readonly HistoricalHolding[];
  /** The last day that anything is known of. */
  readonly latestDay: Day;
  /** Another one whenever anything else is known. */
  readonly ledgerVersion: string;
  /** The ids of transactions by their booking numbers. */
  idsOf(numbers: Iterable<number>): ReadonlyMap<number, Id>;
  /** Those with money that nothing stated explains. */
  listUnexplained(): readonly UnexplainedRow[];
}

/** Rates in place of those that are known. */
export type RatesInstead = (known: ExchangeRates) => ExchangeRates;

/** Books as they are kept, with all that they were made of and how far that had come. */
interface KeptBooks extends Remembered, ReadInputs {
  readonly keys: readonly string[];
  readonly ledger: Ledger;
  readonly ledgerStand: LedgerStand;
  /** The number of the rates that costs in the ledger were made with; none where none were. */
  readonly costsAt: number | null;
  readonly fingerprint: string;
  readonly books: ClientBooks;
}

function keyOf({ reach: { workspaceId, environment } }: Store, client: Id): string {
  return `${workspaceId} ${environment} books ${client}`;
}

/** Books that are kept, and whether they are what the caller's reach knows now: one statement tells. */
export interface BooksToCheck {
  readonly books: ClientBooks;
  areKnown(): Promise<boolean>;
}

export function findKeptBooks({ store, house }: Work, client: Id): BooksToCheck | undefined {
  const kept = house.memory.find<KeptBooks>(keyOf(store, client));
  if (kept === undefined) return undefined;
  house.memory.touch(kept.keys);
  const areKnown = async (): Promise<boolean> => {
    const stand = await findBooksStand(store, kept.asked);
    return stand !== undefined && isSameStand(stand, kept.stand);
  };
  return { books: kept.books, areKnown };
}

/** As they are known now. Undefined where there is no such client. With other rates they are made anew, and not kept. */
export async function findBooks(
  work: SnapshotWork,
  client: Id,
  instead?: RatesInstead,
): Promise<ClientBooks | undefined> {
  const { store, house } = work;
  const key = keyOf(store, client);
  const kept = house.memory.find<KeptBooks>(key);
  if (kept !== undefined) house.memory.touch(kept.keys);
  const standNow = kept && (await findBooksStand(store, kept.asked));
  if (instead === undefined && standNow !== undefined && isSameStand(standNow, kept!.stand)) return kept!.books;
  const read = await readInputs(work, client, standNow && { ...kept!, standNow });
  if (read === undefined) return undefined;
  if (instead !== undefined) return booksWith(withOther(read.inputs, instead), fingerprintOf(read));
  const made = madeOf(read, kept);
  house.memory.put(key, made);
  return made.books;
}

function madeOf(read: FreshInputs, kept: KeptBooks | undefined): KeptBooks {
  const { inputs, view, asked, stand, keys } = read;
  const fingerprint = fingerprintOf(read);
  if (kept?.fingerprint === fingerprint) {
    return { ...kept, inputs, asked, stand, keys, books: booksOf(inputs, { ...kept.books, fingerprint }) };
  }
  const { rates } = inputs;
  const changes = kept && view.findChanges(kept.ledgerStand);
  const isFit = kept !== undefined && changes !== undefined && (kept.costsAt ?? rates.number) === rates.number;
  const terms = new CostTerms(inputs);
  const ledger = isFit ? changedLedger(kept.ledger, changes, terms) : builtLedger(inputs.pieces, terms);
  return {
    version: 0,
    bytes: ledger.bytes() * 2,
    inputs,
    asked,
    stand,
    keys,
    ledger,
    ledgerStand: view.stand,
    costsAt: terms.wasAsked || (isFit && kept.costsAt !== null) ? rates.number : null,
    fingerprint,
    books: booksOf(inputs, { fingerprint, ...historyOf(inputs, ledger) }),
  };
}

/** As they were known at a moment: read anew each time. */
export async function findBooksKnownAt(
  work: SnapshotWork,
  client: Id,
  { knownAt, instead }: { readonly knownAt: number; readonly instead?: RatesInstead | undefined },
): Promise<ClientBooks | undefined> {
  const inputs = await readInputsKnownAt(work, client, knownAt);
  const fingerprint = `known at ${new Date(knownAt).toISOString()}`;
  return inputs && booksWith(instead === undefined ? inputs : withOther(inputs, instead), fingerprint);
}

function withOther(inputs: Inputs, instead: RatesInstead): Inputs {
  return { ...inputs, rates: { ...inputs.rates, rates: instead(inputs.rates.rates) } };
}

function booksWith(inputs: Inputs, fingerprint: string): ClientBooks {
  const ledger = builtLedger(inputs.pieces, new CostTerms(inputs));
  return booksOf(inputs, { fingerprint, ...historyOf(inputs, ledger) });
}

function fingerprintOf({ inputs, stand, view }: FreshInputs): string {
  const { structure, classes, instruments, rates } = inputs;
  const { client, accounts, portfolios, depositories, reportingEntities } = structure;
  return JSON.stringify([
    client,
    [...accounts],
    [...depositories],
    [...reportingEntities],
    [...portfolios].map(([id, { reportingEntity, ...places }]) => [
      id,
      reportingEntity,
      [...places.accounts],
      [...places.depositories],
    ]),
    classes,
    [...view.stand],
    Number(stand.uploads),
    rates.number,
    [...instruments].map(([id, { numbers }]) => [id, numbers]),
  ]);
}

function booksOf(
  { structure, classes, pieces, uploads, instruments }: Inputs,
  { history, latestDay, fingerprint }: Pick<ClientBooks, 'history' | 'latestDay'> & { readonly fingerprint: string },
): ClientBooks {
  return {
    structure,
    history,
    instruments,
    uploads,
    classes: new ClassLookup(classes, (id) => instruments.get(id)?.instrument.instrumentClass ?? null),
    privateTo: new Map(
      [...instruments].flatMap(([id, { instrument }]) =>
        instrument.reportingEntity === null ? [] : [[id, instrument.reportingEntity]],
      ),
    ),
    latestDay,
    ledgerVersion: hash('sha256', fingerprint, 'base64url').slice(0, 22),
    idsOf: (numbers) => idsOfRows(pieces, numbers),
    listUnexplained: () => unexplainedRows(pieces),
  };
}

/** What units from outside cost in the reference currency, at the rate of the day they were acquired. */
class CostTerms implements LotTerms {
  readonly #inputs: Inputs;
  wasAsked = false;

  constructor(inputs: Inputs) {
    this.#inputs = inputs;
  }

  referenceCost(cost: bigint, { instrument, acquired }: { instrument: string; acquired: Day }): bigint {
    const { rates, structure, instruments } = this.#inputs;
    this.wasAsked = true;
    const known = instruments.get(instrument)?.instrument;
    const to = structure.client.referenceCurrency;
    const from = known?.ccyCode ?? known?.listingCurrency ?? to;
    return convertedAmount(cost, rates.rates.get({ from, to, day: acquired }));
  }
}
