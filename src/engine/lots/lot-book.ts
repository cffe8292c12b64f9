// Keeps the open lots of one position and applies one event after the other, exactly, in the trade and the reference currency.

import { magnitude, multiply, type Fixed } from '../../kit/fixed.ts';
import { reduceLotCosts } from './capital-return.ts';
import type {
  TransferIn,
  CapitalReturn,
  LotCheckpoint,
  TransferOut,
  LotEvent,
  Merger,
  Proceeds,
  Purchase,
  Sale,
  SpinOff,
  Split,
} from './lot-event.ts';
import { inTargetCurrency } from './conversion-terms.ts';
import { gapMember, guardCosts } from './cost-gap.ts';
import type { LotObserver } from './lot-observer.ts';
import { OpenLots, type TakenLot } from './open-lots.ts';
import { matchLots, matchWithoutUnits, type LotMatch } from './lot-match.ts';
import { missingNamedLots, takeNamedLots, type NamedLotSelection } from './named-lots.ts';
import { realisation } from './realisation.ts';
import {
  haveOppositeSigns,
  nearerToZero,
  negateCosts,
  zeroQuantityAndCost,
  proportionalPart,
  rescaleUnits,
  subtractCosts,
  withUnitCosts,
} from './quantity-and-cost.ts';
import type {
  CostMethod,
  DatedQuantityAndCost,
  HoldingPeriod,
  Lot,
  TransferOutcome,
  LotFinding,
  LotKey,
  LotOutcome,
  LotSnapshot,
  NamedLot,
  Realisation,
  QuantityAndCost,
} from './lot.ts';

export interface LotRules {
  readonly method: CostMethod;
  readonly longAfter: HoldingPeriod;
}

/** How incoming units are matched with open units of the opposite sign. */
interface MatchTerms {
  /** The sale's own rate. */
  readonly rate?: Fixed;
  /** Present if lots are to be named. */
  readonly named?: readonly NamedLot[];
}

export class LotBook {
  readonly #rules: LotRules;
  #openLots: OpenLots;
  #lastKey: LotKey = { row: -1, ordinal: 0 };

  /** Lots that are already open must be in the order of a snapshot. */
  constructor(rules: LotRules, lots: readonly Lot[] = [], observer?: LotObserver) {
    this.#rules = rules;
    this.#openLots = new OpenLots(rules.method, lots, observer);
  }

  /** Returns an independent book that starts from this one's state. Both share their common part. */
  copy(): LotBook {
    const copy = new LotBook(this.#rules);
    copy.#openLots = this.#openLots.copy();
    copy.#lastKey = this.#lastKey;
    return copy;
  }

  get total(): QuantityAndCost {
    return this.#openLots.total;
  }

  /** The total as reports read it: an unknown cost asks for its rate. */
  get guardedTotal(): QuantityAndCost {
    return guardCosts(this.total, this.#openLots.gap);
  }

  snapshot(): LotSnapshot {
    const costedBy = (lot: Lot): QuantityAndCost => (this.#rules.method === 'AVERAGE' ? this.total : lot);
    const lots = this.#openLots.list().map((lot) => guardCosts(withUnitCosts(lot, costedBy(lot)), lot.gap));
    return guardCosts({ lots, ...this.total }, this.#openLots.gap);
  }

  openLots(): readonly Lot[] {
    return this.#openLots.list().map((lot) => guardCosts(lot, lot.gap));
  }

  /** What is not there of the lots that an event names. */
  listMissing(named: readonly NamedLot[]): readonly LotFinding[] {
    return missingNamedLots(this.#openLots, named);
  }

  /** Books a buy: closes shorts, oldest first, and opens a lot with the rest. */
  acquire(purchase: Purchase): LotOutcome {
    const { quantity, cost, referenceCost, day, gap } = purchase;
    const bought = { quantity, cost, referenceCost, acquired: day, isEstimated: false, ...gapMember(gap) };
    return this.#applyIncoming(purchase, [bought]);
  }

  /** Books a sell: closes lots by the method, and opens a short with what was not held. */
  dispose(sale: Sale): LotOutcome {
    return this.#applyIncoming(sale, [soldQuantityAndCost(sale, sale)], { rate: sale.rate, named: sale.named ?? [] });
  }

  /** Books units received in kind, each with its date and cost. They close shorts as a buy does. */
  deposit(transferIn: TransferIn): LotOutcome {
    return this.#applyIncoming(transferIn, transferIn.lots);
  }

  /**
   * Books units that leave in kind: by the method, with dates and cost and no gain. Units that were not held leave at their
   * value.
   */
  withdraw(transferOut: TransferOut): TransferOutcome {
    const findings: LotFinding[] = [];
    const { quantity, day, named } = transferOut;
    const held = this.total.quantity;
    const available = haveOppositeSigns(held, quantity) ? 0n : nearerToZero(held, quantity);
    const missing = quantity - available;
    // Before units leave, because what they have cost may decide.
    const worth = missing === 0n ? zeroQuantityAndCost : proportionalPart(transferOut, missing);
    const taken = available === 0n ? [] : this.#take(available, { quantity, named, findings });
    const lots: DatedQuantityAndCost[] = taken.map(({ lot }) => lot);
    if (missing !== 0n) {
      const value = { ...worth, acquired: day, isEstimated: true, ...gapMember(transferOut.gap) };
      this.#addLots([this.#newLot(transferOut, { ...value, ...negateCosts(value) })]);
      findings.push({ kind: 'short-opened', quantity: magnitude(missing) });
      lots.push(value);
    }
    return { lots, realised: [], findings };
  }

  /** Books a split, reverse split or stock dividend: new units for old at unchanged cost. */
  split(split: Split): LotOutcome {
    const { items: lotsAfter, writtenOffCost } = rescaleUnits(this.#openLots.list(), split.ratio);
    this.#openLots.replaceAll(lotsAfter);
    return this.#writeOff(split, writtenOffCost);
  }

  /** Books a return of capital. */
  reduceCost(capital: CapitalReturn): LotOutcome {
    const { lots, excess } = reduceLotCosts(this.#openLots.list(), capital);
    this.#openLots.replaceAll(lots);
    return { realised: excess.map((match) => this.#realise(match)), findings: [] };
  }

  /** Books a spin-off: a share of every lot's cost moves to units of the target, with the lot's date. */
  moveShareOfCost(target: LotBook, spinOff: SpinOff): LotOutcome {
    const lots = this.#openLots.list();
    const moved = lots.map((lot) => ({
      ...lot,
      cost: multiply(lot.cost, spinOff.share),
      referenceCost: multiply(lot.referenceCost, spinOff.share),
    }));
    const arriving = rescaleUnits(moved, spinOff.ratio).items;
    if (arriving.length === 0) return { realised: [], findings: [] };
    this.#openLots.replaceAll(
      lots.map((lot, index) => ({ ...lot, ...subtractCosts(lot, { ...moved[index]!, quantity: 0n }) })),
    );
    return target.deposit({ row: spinOff.row, day: spinOff.day, lots: inTargetCurrency(arriving, spinOff) });
  }

  /** Books a merger: every lot becomes one of the target, with its date and cost. Gain is realised on units paid in cash. */
  exchange(target: LotBook, merger: Merger): LotOutcome {
    const { row, day, cashInLieu } = merger;
    const { items: lotsAfter, writtenOffCost } = rescaleUnits(this.#openLots.list(), merger.ratio);
    this.#openLots.replaceAll([]);
    const writtenOff = this.#writeOff(merger, writtenOffCost);
    const moving = new LotBook(this.#rules, inTargetCurrency(lotsAfter, merger));
    const cashOutcome =
      cashInLieu && moving.#applyIncoming(merger, [soldQuantityAndCost(merger, cashInLieu)], { rate: cashInLieu.rate });
    const deposited = target.deposit({ row, day, lots: moving.#openLots.list() });
    return {
      realised: [...writtenOff.realised, ...(cashOutcome?.realised ?? []), ...deposited.realised],
      findings: deposited.findings,
    };
  }

  /**
   * Aligns the lots with what was really held on a day. Matching lots stay; missing units are added at market value, marked as
   * estimated; excess units leave, oldest first, with their cost and no gain, because they are a flow that no row explains, not a
   * sale.
   */
  checkpoint(checkpoint: LotCheckpoint): TransferOutcome {
    const { day, quantity } = checkpoint;
    const held = this.total.quantity;
    const matchedQuantity = haveOppositeSigns(held, quantity) ? 0n : nearerToZero(held, quantity);
    const lots = this.#openLots.take(held - matchedQuantity).map(({ lot }) => lot);
    if (quantity !== matchedQuantity) {
      const surplus = proportionalPart(checkpoint, quantity - matchedQuantity);
      const added = { ...surplus, acquired: day, isEstimated: true, ...gapMember(checkpoint.gap) };
      this.#addLots([this.#newLot(checkpoint, added)]);
    }
    return { lots, realised: [], findings: [] };
  }

  /** Matches incoming units with open ones of the opposite sign, and opens lots with the rest. */
  #applyIncoming(event: LotEvent, incoming: readonly DatedQuantityAndCost[], terms: MatchTerms = {}): LotOutcome {
    const realised: Realisation[] = [];
    const findings: LotFinding[] = [];
    let opened: Lot[] = [];
    for (const incomingLot of incoming) {
      if (opened.length > 0 && haveOppositeSigns(opened[0]!.quantity, incomingLot.quantity)) {
        this.#addLots(opened);
        opened = [];
      }
      const { matches, rest } = this.#closeOpposite(event, incomingLot, { ...terms, findings });
      for (const match of matches) realised.push(this.#realise(match));
      if (rest.quantity < 0n) findings.push({ kind: 'short-opened', quantity: -rest.quantity });
      if (rest.quantity !== 0n) opened.push(this.#newLot(event, { ...incomingLot, ...rest }));
    }
    this.#addLots(opened);
    return { realised, findings };
  }

  #closeOpposite(
    event: LotEvent,
    incomingLot: DatedQuantityAndCost,
    { rate, named, findings }: MatchTerms & { findings: LotFinding[] },
  ): ClosingResult {
    const held = this.total.quantity;
    if (incomingLot.quantity === 0n)
      return { matches: [matchWithoutUnits(event, incomingLot)].filter(hasMoney), rest: zeroQuantityAndCost };
    if (!haveOppositeSigns(held, incomingLot.quantity)) return { matches: [], rest: incomingLot };
    const matches: LotMatch[] = [];
    let rest: QuantityAndCost = incomingLot;
    for (const taken of this.#take(nearerToZero(held, -incomingLot.quantity), {
      quantity: incomingLot.quantity,
      named,
      findings,
    })) {
      const part = proportionalPart(rest, -taken.lot.quantity);
      rest = subtractCosts(rest, part);
      matches.push(matchLots({ event, taken, incoming: { ...incomingLot, ...part }, rate }));
    }
    return { matches, rest };
  }

  /** Takes units by the method; named lots count under SPECIFIC_ID only. */
  #take(quantity: Fixed, selection: NamedLotSelection): TakenLot[] {
    if (selection.named === undefined || this.#rules.method !== 'SPECIFIC_ID') return this.#openLots.take(quantity);
    return takeNamedLots(this.#openLots, quantity, selection);
  }

  #addLots(lots: readonly Lot[]): void {
    this.#openLots.put(lots.length > 1 ? lots.toSorted((one, other) => one.acquired - other.acquired) : lots);
  }

  #newLot({ row }: LotEvent, dated: DatedQuantityAndCost): Lot {
    const { quantity, cost, referenceCost, acquired, isEstimated, gap } = dated;
    const ordinal = row === this.#lastKey.row ? this.#lastKey.ordinal + 1 : 0;
    this.#lastKey = { row, ordinal };
    return { row, ordinal, acquired, quantity, cost, referenceCost, isEstimated, ...gapMember(gap) };
  }

  #realise(match: LotMatch): Realisation {
    return realisation(match, this.#rules.longAfter);
  }

  #writeOff(event: LotEvent, writtenOffCost: QuantityAndCost): LotOutcome {
    const matches = [matchWithoutUnits(event, writtenOffCost)].filter(hasMoney);
    return { realised: matches.map((match) => this.#realise(match)), findings: [] };
  }
}

interface ClosingResult {
  readonly matches: readonly LotMatch[];
  readonly rest: QuantityAndCost;
}

function hasMoney({ cost, referenceCost }: LotMatch): boolean {
  return cost !== 0n || referenceCost !== 0n;
}

function soldQuantityAndCost(
  { day }: LotEvent,
  { quantity, proceeds, referenceProceeds, gap }: Proceeds,
): DatedQuantityAndCost {
  return {
    ...negateCosts({ quantity, cost: proceeds, referenceCost: referenceProceeds }),
    acquired: day,
    isEstimated: false,
    ...gapMember(gap),
  };
}
