// Every position of a set of facts through time: units, lots, balances, values and flows, each computed on first use.

import type { Day } from '../../kit/day.ts';
import type { Pieces } from '../../kit/turns/pieces.ts';
import type { CurrencyContext } from '../currencies/reference-money.ts';
import type { LotBookContext, LotBookChanges } from '../lots/lot-book-changes.ts';
import { checkpointsByPosition, type Checkpoint, type Checkpoints } from './checkpoint.ts';
import type { IsoCurrency } from '../currencies/exchange-rates.ts';
import { CostMethods } from './cost-methods.ts';
import type { Facts } from './facts.ts';
import { datedLegs } from './dated-legs.ts';
import { cashBalanceHistory, feesOwedHistory, type BalanceHistory } from './balance-history.ts';
import { feesOwedSource, balanceSource, findRowBalance, tradedUnitSteps } from './movements.ts';
import { TradedLots } from './traded-lots.ts';
import { PositionValues, type PositionValue } from './position-values.ts';
import { PositionKinds, siblingPositions } from './position-kinds.ts';
import { LedgerRows, RowsByPosition } from './ledger-rows.ts';
import type { StepFunction } from './step-function.ts';
import { unitChangesByInstrument } from './unit-changes.ts';
import { UnitReplay, type DatedLeg, type ReplayOutcome } from './unit-replay.ts';
import { uploadedMoney } from './upload-value.ts';
import type { ValuedInstrument } from '../instruments/instrument.ts';
import type { LotBook, LotRules } from '../lots/lot-book.ts';
import type { CostMethod, Lot, LotSnapshot, QuantityAndCost } from '../lots/lot.ts';
import { noLots } from '../lots/quantity-and-cost.ts';
import { findSyntheticInstrument, type PositionKey } from '../ledger/position-key.ts';
import { PositionTable } from '../ledger/position-table.ts';
import type { UnitChange } from '../instruments/unit-change-span.ts';
import { Series } from '../amounts/series.ts';

const noSeries = new Series([]);

export class History {
  readonly facts: Facts;
  readonly table: PositionTable;
  readonly rows: LedgerRows;
  /** Rows by the position they trade, pay for or are charged to, and by the cash they move. */
  readonly byPosition: RowsByPosition;
  readonly byCash: RowsByPosition;
  readonly checkpoints: Checkpoints;
  readonly values: PositionValues;
  readonly #kinds: PositionKinds;
  readonly #methods: CostMethods;
  readonly #rules: Readonly<Record<CostMethod, LotRules>>;
  readonly #changes: ReadonlyMap<string, readonly UnitChange[]>;
  readonly #money = new Map<number, BalanceHistory>();
  readonly #units = new Map<number, StepFunction>();
  #legs: ReadonlyMap<number, readonly DatedLeg[]> | undefined;
  #replay: UnitReplay | undefined;
  #tradedLots: TradedLots | undefined;

  constructor(facts: Facts) {
    this.facts = facts;
    this.table = new PositionTable(facts.accounts);
    this.rows = new LedgerRows(facts.ledger, this.table);
    this.checkpoints = checkpointsByPosition(facts.uploads, this.table);
    this.#addCounterCashPositions();
    this.#methods = new CostMethods(facts);
    this.#rules = lotRules(facts.settings);
    const { table, checkpoints } = this;
    this.#kinds = new PositionKinds(this.rows, { table, facts, checkpoints, methods: this.#methods });
    this.byPosition = new RowsByPosition(this.rows.positions, this.table.count);
    this.byCash = new RowsByPosition(this.rows.cash, this.table.count);
    this.#changes = unitChangesByInstrument(this.rows);
    this.values = new PositionValues(this);
  }

  #addCounterCashPositions(): void {
    for (const row of this.rows.rowsWithDetails) {
      const counterCash = this.rows.details(row)?.counterCash;
      if (counterCash !== undefined) this.table.cashPosition(counterCash.account, counterCash.currency);
    }
  }

  /** For instruments that no catalogue has: units × the last traded price. */
  instrument(position: number): ValuedInstrument {
    const { instrument: id } = this.table.key(position);
    const cached = this.facts.instruments.get(id);
    if (cached !== undefined) return cached;
    const [first] = this.byPosition.rowsOf(position);
    const currency = findSyntheticInstrument(id)?.currency ?? this.#currencyOfRow(first);
    const series = { prices: noSeries, netAssetValues: noSeries, indexFactors: noSeries };
    return { id, currency, priceUnit: '1', terms: { type: 'listed' }, ...series };
  }

  #currencyOfRow(row: number | undefined): IsoCurrency {
    return row === undefined ? this.facts.settings.referenceCurrency : this.rows.transaction(row).currency;
  }

  key(position: number): PositionKey {
    return this.table.key(position);
  }

  /** How sales of a position are matched with lots. */
  methodOf(position: number): CostMethod {
    return this.#methods.of(this.key(position));
  }

  /** Units, or the cash balance, from each day on. */
  units(position: number): StepFunction {
    const cached = this.#units.get(position);
    if (cached !== undefined) return cached;
    const units = this.#unitsOf(position);
    this.#units.set(position, units);
    return units;
  }

  #unitsOf(position: number): StepFunction {
    if (this.#isMoney(position)) return findRowBalance(this, position) ?? this.money(position).balance;
    return this.isReplayed(position) ? this.replay.units(position) : tradedUnitSteps(this, position);
  }

  #isMoney(position: number): boolean {
    return findSyntheticInstrument(this.table.key(position).instrument) !== undefined;
  }

  money(position: number): BalanceHistory {
    const cached = this.#money.get(position);
    if (cached !== undefined) return cached;
    const { kind } = findSyntheticInstrument(this.table.key(position).instrument)!;
    const money =
      kind === 'cash'
        ? cashBalanceHistory(balanceSource(this, position))
        : feesOwedHistory(feesOwedSource(this, position));
    this.#money.set(position, money);
    return money;
  }

  lots(position: number, day: Day): LotSnapshot {
    return this.#findLotBook(position, day)?.snapshot() ?? noLots;
  }

  /** The lots without the cost of one unit, which takes a division for each. */
  openLots(position: number, day: Day): readonly Lot[] {
    return this.#findLotBook(position, day)?.openLots() ?? [];
  }

  quantityAndCost(position: number, day: Day): QuantityAndCost {
    if (this.isReplayed(position)) return this.replay.quantityAndCost(position, day);
    return this.tradedLots.quantityAndCost(position, day);
  }

  #findLotBook(position: number, day: Day): LotBook | undefined {
    return this.isReplayed(position) ? this.replay.lotBook(position, day) : this.tradedLots.lotBook(position, day);
  }

  /** Whether it is not only bought and sold. */
  isReplayed(position: number): boolean {
    return this.#kinds.isReplayed(position);
  }

  /** What the rows of a plain position did within a span, row by row. */
  bookedRows(position: number, span: { readonly from: Day; readonly to: Day }): readonly LotBookChanges[] {
    return this.isReplayed(position) ? [] : this.tradedLots.bookedRows(position, span);
  }

  /** The same in pieces, one for each row. */
  *bookedRowPieces(
    position: number,
    span: { readonly from: Day; readonly to: Day },
  ): Pieces<readonly LotBookChanges[]> {
    return this.isReplayed(position) ? [] : yield* this.tradedLots.bookedRowPieces(position, span);
  }

  /** Flows of a position beyond the amounts of its rows. */
  legs(position: number): readonly DatedLeg[] {
    this.#legs ??= datedLegs(this);
    return this.#legs.get(position) ?? [];
  }

  /** What happened to positions that are not only bought and sold. */
  replayOutcome(): ReplayOutcome {
    return this.replay.replayOutcome();
  }

  /** The same in pieces, one for each row and upload. */
  replayPieces(): Pieces<ReplayOutcome> {
    return this.replay.replayPieces();
  }

  /** Computes in pieces what would be computed at once when it is first needed. */
  *preparePieces(): Pieces<void> {
    try {
      yield* this.replayPieces();
    } catch {
      // What lacks a rate fails in the same way where it is needed, which it may not be.
    }
  }

  value(position: number, day: Day): PositionValue {
    return this.values.on(position, day);
  }

  /** Splits of the instrument. */
  changes(position: number): readonly UnitChange[] {
    return this.#changes.get(this.table.key(position).instrument) ?? [];
  }

  get replay(): UnitReplay {
    this.#replay ??= new UnitReplay({
      ...this.lotBookContext(),
      rows: this.rows,
      replayedRows: this.#kinds.replayedRows(),
      checkpoints: this.#unitCheckpoints(),
      siblingPositions: (position) => siblingPositions(position, this.table),
      uploadedMoney: (checkpoint, quantity) =>
        uploadedMoney(checkpoint, quantity, this.currencyContext(checkpoint.position)),
    });
    return this.#replay;
  }

  get tradedLots(): TradedLots {
    this.#tradedLots ??= new TradedLots({
      ...this.lotBookContext(),
      rows: this.rows,
      byPosition: this.byPosition,
      ownRows: this.#kinds.quickRows('own'),
      foreignRows: this.#kinds.quickRows('foreign'),
      isForeign: (position) => this.#kinds.isForeign(position),
      isQuick: (position) => this.#kinds.isQuick(position),
    });
    return this.#tradedLots;
  }

  #unitCheckpoints(): readonly Checkpoint[] {
    return [...this.checkpoints.values()]
      .flat()
      .filter(({ position }) => !this.#isMoney(position))
      .toSorted((one, other) => one.day - other.day || one.position - other.position);
  }

  lotBookContext(): LotBookContext {
    const { mustFindLots } = this.facts;
    return {
      table: this.table,
      rulesOf: (position) => this.#rules[this.methodOf(position)],
      currencyContext: (position) => this.currencyContext(position),
      ...(mustFindLots && { mustFindLots: (row) => mustFindLots.has(row) }),
      unitWorth: (units) => this.values.marketCost(units),
    };
  }

  currencyContext(position: number): CurrencyContext {
    const { rates, settings } = this.facts;
    return { currency: this.instrument(position).currency, referenceCurrency: settings.referenceCurrency, rates };
  }
}

function lotRules({ longAfter }: Facts['settings']): Readonly<Record<CostMethod, LotRules>> {
  const rules = (method: CostMethod): LotRules => ({ method, longAfter });
  return { FIFO: rules('FIFO'), AVERAGE: rules('AVERAGE'), SPECIFIC_ID: rules('SPECIFIC_ID') };
}
