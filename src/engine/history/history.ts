// Every position of a set of facts through time: units, lots, balances, values and flows, each worked out when it is first asked
// for. Knows no report.

import type { Day } from '../../kit/day.ts';
import type { BookContext, Booked } from '../lots/lot-books.ts';
import { checkpointsOf, type Checkpoint, type Checkpoints } from './checkpoint.ts';
import type { Currency } from '../currencies/exchange-rates.ts';
import type { Facts } from './facts.ts';
import { datedLegs } from './dated-legs.ts';
import { cashHistory, feesHistory, type Money } from './balance-history.ts';
import { feesSource, moneySource, plainBalance, tradedUnits } from './movements.ts';
import { PlainLots } from './plain-lots.ts';
import { PositionValues, type ValueOn } from './position-values.ts';
import { PositionKinds, neighboursOf } from './position-kinds.ts';
import { Rows, RowsByPosition } from './ledger-rows.ts';
import type { Steps } from './step-function.ts';
import { UnitReplay, type DatedLeg, type ReplayRecord } from './unit-replay.ts';
import { uploadedMoney } from './upload-value.ts';
import type { Instrument } from '../instruments/instrument.ts';
import type { LotBook } from '../lots/lot-book.ts';
import type { LotSnapshot, Stake } from '../lots/lot.ts';
import { findSynthetic, type PositionKey } from '../ledger/position-key.ts';
import { PositionTable } from '../ledger/position-table.ts';
import type { UnitChange } from '../instruments/quote.ts';
import { Series } from '../amounts/series.ts';

const noSeries = new Series([]);

export class History {
  readonly facts: Facts;
  readonly table: PositionTable;
  readonly rows: Rows;
  /** Rows by the position they trade, pay for or are charged to; and by the cash they move. */
  readonly byPosition: RowsByPosition;
  readonly byCash: RowsByPosition;
  readonly checkpoints: Checkpoints;
  readonly values: PositionValues;
  readonly #kinds: PositionKinds;
  readonly #changes: ReadonlyMap<string, readonly UnitChange[]>;
  readonly #money = new Map<number, Money>();
  readonly #units = new Map<number, Steps>();
  #legs: ReadonlyMap<number, readonly DatedLeg[]> | undefined;
  #replay: UnitReplay | undefined;
  #plain: PlainLots | undefined;

  constructor(facts: Facts) {
    this.facts = facts;
    this.table = new PositionTable(facts.accounts);
    this.rows = new Rows(facts.ledger, this.table);
    this.checkpoints = checkpointsOf(facts.uploads, this.table);
    this.#numberCounterCash();
    this.#kinds = new PositionKinds(this.rows, { table: this.table, facts, checkpoints: this.checkpoints });
    this.byPosition = new RowsByPosition(this.rows.positions, this.table.count);
    this.byCash = new RowsByPosition(this.rows.cash, this.table.count);
    this.#changes = unitChanges(this.rows);
    this.values = new PositionValues(this);
  }

  #numberCounterCash(): void {
    for (const row of this.rows.detailed) {
      const counter = this.rows.details(row)?.counterCash;
      if (counter !== undefined) this.table.cash(counter.account, counter.currency);
    }
  }

  /** Of what no catalogue knows, units × the last price it was traded at. */
  instrument(position: number): Instrument {
    const { instrument: id } = this.table.key(position);
    const known = this.facts.instruments.get(id);
    if (known !== undefined) return known;
    const [first] = this.byPosition.of(position);
    const currency = findSynthetic(id)?.currency ?? this.#currencyOfRow(first);
    const series = { prices: noSeries, netAssetValues: noSeries, indexFactors: noSeries };
    return { id, currency, priceUnit: '1', terms: { type: 'listed' }, ...series };
  }

  #currencyOfRow(row: number | undefined): Currency {
    return row === undefined ? this.facts.settings.referenceCurrency : this.rows.transaction(row).currency;
  }

  key(position: number): PositionKey {
    return this.table.key(position);
  }

  /** Units, or the balance of cash, from each day on. */
  units(position: number): Steps {
    const known = this.#units.get(position);
    if (known !== undefined) return known;
    const units = this.#unitsOf(position);
    this.#units.set(position, units);
    return units;
  }

  #unitsOf(position: number): Steps {
    if (this.#isMoney(position)) return plainBalance(this, position) ?? this.money(position).balance;
    return this.#isReplayed(position) ? this.replay.units(position) : tradedUnits(this, position);
  }

  #isMoney(position: number): boolean {
    return findSynthetic(this.table.key(position).instrument) !== undefined;
  }

  money(position: number): Money {
    const known = this.#money.get(position);
    if (known !== undefined) return known;
    const { kind } = findSynthetic(this.table.key(position).instrument)!;
    const money = kind === 'cash' ? cashHistory(moneySource(this, position)) : feesHistory(feesSource(this, position));
    this.#money.set(position, money);
    return money;
  }

  lots(position: number, day: Day): LotSnapshot {
    return this.#book(position, day)?.snapshot() ?? { lots: [], quantity: 0n, cost: 0n, referenceCost: 0n };
  }

  stake(position: number, day: Day): Stake {
    if (this.#isReplayed(position)) return this.replay.stake(position, day);
    return this.plain.stake(position, day);
  }

  #book(position: number, day: Day): LotBook | undefined {
    return this.#isReplayed(position) ? this.replay.book(position, day) : this.plain.book(position, day);
  }

  #isReplayed(position: number): boolean {
    return this.#kinds.isInvolved(position);
  }

  /** What the rows of a plain position did within a span, row by row. */
  booked(position: number, span: { readonly from: Day; readonly to: Day }): readonly Booked[] {
    return this.#isReplayed(position) ? [] : this.plain.booked(position, span);
  }

  /** Flows of a position beyond the amounts of its rows. */
  legs(position: number): readonly DatedLeg[] {
    this.#legs ??= datedLegs(this);
    return this.#legs.get(position) ?? [];
  }

  /** What happened to the positions that more happens to than buying and selling. */
  record(): ReplayRecord {
    return this.replay.record();
  }

  value(position: number, day: Day): ValueOn {
    return this.values.on(position, day);
  }

  /** Splits of the instrument. */
  changes(position: number): readonly UnitChange[] {
    return this.#changes.get(this.table.key(position).instrument) ?? [];
  }

  get replay(): UnitReplay {
    this.#replay ??= new UnitReplay({
      ...this.#bookContext(),
      rows: this.rows,
      replayed: this.#kinds.replayed(),
      checkpoints: this.#unitCheckpoints(),
      neighbours: (position) => neighboursOf(position, this.table),
      uploadedMoney: (checkpoint, quantity) =>
        uploadedMoney(checkpoint, quantity, this.#moneyContext(checkpoint.position)),
    });
    return this.#replay;
  }

  get plain(): PlainLots {
    this.#plain ??= new PlainLots({
      ...this.#bookContext(),
      rows: this.rows,
      byPosition: this.byPosition,
      ownRows: this.#kinds.quickRows('own'),
      foreignRows: this.#kinds.quickRows('foreign'),
      isForeign: (position) => this.#kinds.isForeign(position),
      isQuick: (position) => this.#kinds.isQuick(position),
    });
    return this.#plain;
  }

  #unitCheckpoints(): readonly Checkpoint[] {
    return [...this.checkpoints.values()]
      .flat()
      .filter(({ position }) => !this.#isMoney(position))
      .toSorted((one, other) => one.day - other.day || one.position - other.position);
  }

  #bookContext(): BookContext {
    const { method, longAfter } = this.facts.settings;
    return {
      table: this.table,
      rules: { method, longAfter },
      moneyOf: (position) => this.#moneyContext(position),
      worthOf: (units) => this.values.worthOf(units),
    };
  }

  #moneyContext(position: number) {
    const { rates, settings } = this.facts;
    return { currency: this.instrument(position).currency, referenceCurrency: settings.referenceCurrency, rates };
  }
}

/** Splits by instrument, in the order of their days; one booked for several places counts once. */
function unitChanges(rows: Rows): ReadonlyMap<string, readonly UnitChange[]> {
  const changes = new Map<string, UnitChange[]>();
  for (const row of rows.detailed) {
    const action = rows.details(row)?.action;
    if (action?.action !== 'split') continue;
    const { instrument, day } = rows.transaction(row);
    const known = changes.get(instrument!) ?? [];
    if (known.at(-1)?.exDay === day) continue;
    changes.set(instrument!, [...known, { exDay: day, ratio: action.ratio }]);
  }
  return changes;
}
