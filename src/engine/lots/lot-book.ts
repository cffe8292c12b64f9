// The open lots of one position and what happens to them, exact in the trade and in the reference currency. Knows neither
// prices nor the ledger: it is told one event after the other.

import { divide, magnitude, multiply, type Fixed } from '../../kit/fixed.ts';
import { loweredCost } from './capital-return.ts';
import type {
  Arrival,
  CapitalReturn,
  Checkpoint,
  Conversion,
  Departure,
  LotEvent,
  Merger,
  Proceeds,
  Purchase,
  Sale,
  SpinOff,
  Split,
} from './lot-event.ts';
import { LotPile, type Taken } from './open-lots.ts';
import { matchOf, matchWithoutUnits, type Match } from './lot-match.ts';
import { takeNamedLots, type Naming } from './named-lots.ts';
import { realisation } from './realisation.ts';
import { areOpposed, lesserOf, negated, noStake, partOf, rescaled, restOf, totalOf } from './quantity-and-cost.ts';
import type {
  CostMethod,
  DatedStake,
  HoldingPeriod,
  Lot,
  LotDeparture,
  LotFinding,
  LotKey,
  LotOutcome,
  LotSnapshot,
  NamedLot,
  Realisation,
  Stake,
} from './lot.ts';

export interface LotRules {
  readonly method: CostMethod;
  readonly longAfter: HoldingPeriod;
}

/** How units that come in meet those of the other sign. */
interface Terms {
  /** Of a sale, its own. */
  readonly rate?: Fixed;
  /** Present where lots are to be named. */
  readonly named?: readonly NamedLot[];
}

export class LotBook {
  readonly #rules: LotRules;
  #pile: LotPile;
  #lastKey: LotKey = { row: -1, ordinal: 0 };

  /** Lots that are open already must be in the order in which a snapshot lists them. */
  constructor(rules: LotRules, lots: readonly Lot[] = []) {
    this.#rules = rules;
    this.#pile = new LotPile(rules.method, lots);
  }

  /** A book of its own that begins where this one is. What both have in common is kept once. */
  copy(): LotBook {
    const copy = new LotBook(this.#rules);
    copy.#pile = this.#pile.copy();
    copy.#lastKey = this.#lastKey;
    return copy;
  }

  get total(): Stake {
    return this.#pile.total;
  }

  snapshot(): LotSnapshot {
    const { total } = this;
    const lots = this.#pile.open().map((lot) => {
      const { quantity, cost, referenceCost } = this.#rules.method === 'AVERAGE' ? total : lot;
      return { ...lot, unitCost: divide(cost, quantity), referenceUnitCost: divide(referenceCost, quantity) };
    });
    return { lots, ...total };
  }

  /** A buy: closes shorts, the oldest first, and opens a lot with the rest. */
  acquire(purchase: Purchase): LotOutcome {
    const { quantity, cost, referenceCost, day } = purchase;
    return this.#enter(purchase, [{ quantity, cost, referenceCost, acquired: day, isEstimated: false }]);
  }

  /** A sell: closes lots by the method, and opens a short with what was not held. */
  dispose(sale: Sale): LotOutcome {
    return this.#enter(sale, [soldStake(sale, sale)], { rate: sale.rate, named: sale.named ?? [] });
  }

  /** Units in kind, each with its date and cost: they close shorts as a buy would. */
  deposit(arrival: Arrival): LotOutcome {
    return this.#enter(arrival, arrival.lots);
  }

  /** Units in kind that leave by the method, with dates and cost and no gain. What was not held goes at its value. */
  withdraw(departure: Departure): LotDeparture {
    const findings: LotFinding[] = [];
    const { quantity, day, named } = departure;
    const held = this.total.quantity;
    const taken = areOpposed(held, quantity) ? [] : this.#take(lesserOf(held, quantity), { quantity, named, findings });
    const lots: DatedStake[] = taken.map(({ lot }) => lot);
    const missing = quantity - totalOf(lots).quantity;
    if (missing !== 0n) {
      const value = { ...partOf(departure, missing), acquired: day, isEstimated: true };
      this.#put([this.#lot(departure, { ...value, ...negated(value) })]);
      findings.push({ kind: 'short-opened', quantity: magnitude(missing) });
      lots.push(value);
    }
    return { lots, realised: [], findings };
  }

  /** Both legs of a transfer between own places. */
  transferTo(target: LotBook, departure: Departure): LotDeparture {
    const left = this.withdraw(departure);
    const arrived = target.deposit({ row: departure.row, day: departure.day, lots: left.lots });
    return { lots: left.lots, realised: arrived.realised, findings: [...left.findings, ...arrived.findings] };
  }

  /** A split, a reverse split or a stock dividend: new units for old, the cost as it was. */
  split(split: Split): LotOutcome {
    const { stakes, vanished } = rescaled(this.#pile.open(), split.ratio);
    this.#pile.replaceAll(stakes);
    return this.#writtenOff(split, vanished);
  }

  /** A return of capital. */
  reduceCost(capital: CapitalReturn): LotOutcome {
    const { lots, excess } = loweredCost(this.#pile.open(), capital);
    this.#pile.replaceAll(lots);
    return { realised: excess.map((match) => this.#realised(match)), findings: [] };
  }

  /** A spin-off: of every lot, the share of its cost goes with units of the target and the lot's date. */
  moveShareOfCost(target: LotBook, spinOff: SpinOff): LotOutcome {
    const lots = this.#pile.open();
    const moved = lots.map((lot) => ({
      ...lot,
      cost: multiply(lot.cost, spinOff.share),
      referenceCost: multiply(lot.referenceCost, spinOff.share),
    }));
    const arriving = rescaled(moved, spinOff.ratio).stakes;
    if (arriving.length === 0) return { realised: [], findings: [] };
    this.#pile.replaceAll(lots.map((lot, index) => ({ ...lot, ...restOf(lot, { ...moved[index]!, quantity: 0n }) })));
    return target.deposit({ row: spinOff.row, day: spinOff.day, lots: inTargetCurrency(arriving, spinOff) });
  }

  /** A merger: every lot becomes one of the target, with its date and cost. Of units paid in cash the gain is realised. */
  exchange(target: LotBook, merger: Merger): LotOutcome {
    const { row, day, cashInLieu } = merger;
    const { stakes, vanished } = rescaled(this.#pile.open(), merger.ratio);
    this.#pile.replaceAll([]);
    const gone = this.#writtenOff(merger, vanished);
    const moving = new LotBook(this.#rules, inTargetCurrency(stakes, merger));
    const paid = cashInLieu && moving.#enter(merger, [soldStake(merger, cashInLieu)], { rate: cashInLieu.rate });
    const arrived = target.deposit({ row, day, lots: moving.#pile.open() });
    return {
      realised: [...gone.realised, ...(paid?.realised ?? []), ...arrived.realised],
      findings: arrived.findings,
    };
  }

  /**
   * What was really held on a day. Lots stay where they match; what is missing comes at market, estimated; what is too much
   * leaves, the oldest first, with its cost and no gain: it is a flow that no row explains, not a sale.
   */
  checkpoint(checkpoint: Checkpoint): LotDeparture {
    const { day, quantity } = checkpoint;
    const held = this.total.quantity;
    const kept = areOpposed(held, quantity) ? 0n : lesserOf(held, quantity);
    const lots = this.#pile.take(held - kept).map(({ lot }) => lot);
    if (quantity !== kept) {
      const surplus = partOf(checkpoint, quantity - kept);
      this.#put([this.#lot(checkpoint, { ...surplus, acquired: day, isEstimated: true })]);
    }
    return { lots, realised: [], findings: [] };
  }

  /** Sets what comes in against what is open of the other sign, and opens lots with the rest. */
  #enter(event: LotEvent, incoming: readonly DatedStake[], terms: Terms = {}): LotOutcome {
    const realised: Realisation[] = [];
    const findings: LotFinding[] = [];
    let opened: Lot[] = [];
    for (const stake of incoming) {
      if (opened.length > 0 && areOpposed(opened[0]!.quantity, stake.quantity)) {
        this.#put(opened);
        opened = [];
      }
      const { matches, rest } = this.#close(event, stake, { ...terms, findings });
      for (const match of matches) realised.push(this.#realised(match));
      if (rest.quantity < 0n) findings.push({ kind: 'short-opened', quantity: -rest.quantity });
      if (rest.quantity !== 0n) opened.push(this.#lot(event, { ...stake, ...rest }));
    }
    this.#put(opened);
    return { realised, findings };
  }

  #close(event: LotEvent, stake: DatedStake, { rate, named, findings }: Terms & { findings: LotFinding[] }): Closing {
    const held = this.total.quantity;
    if (stake.quantity === 0n) return { matches: [matchWithoutUnits(event, stake)].filter(hasMoney), rest: noStake };
    if (!areOpposed(held, stake.quantity)) return { matches: [], rest: stake };
    const matches: Match[] = [];
    let rest: Stake = stake;
    for (const taken of this.#take(lesserOf(held, -stake.quantity), { quantity: stake.quantity, named, findings })) {
      const part = partOf(rest, -taken.lot.quantity);
      rest = restOf(rest, part);
      matches.push(matchOf({ event, taken, incoming: { ...stake, ...part }, rate }));
    }
    return { matches, rest };
  }

  /** By the method; names count under SPECIFIC_ID alone. */
  #take(quantity: Fixed, naming: Naming): Taken[] {
    if (naming.named === undefined || this.#rules.method !== 'SPECIFIC_ID') return this.#pile.take(quantity);
    return takeNamedLots(this.#pile, quantity, naming);
  }

  #put(lots: readonly Lot[]): void {
    this.#pile.put(lots.length > 1 ? lots.toSorted((one, other) => one.acquired - other.acquired) : lots);
  }

  #lot({ row }: LotEvent, { quantity, cost, referenceCost, acquired, isEstimated }: DatedStake): Lot {
    const ordinal = row === this.#lastKey.row ? this.#lastKey.ordinal + 1 : 0;
    this.#lastKey = { row, ordinal };
    return { row, ordinal, acquired, quantity, cost, referenceCost, isEstimated };
  }

  #realised(match: Match): Realisation {
    return realisation(match, this.#rules.longAfter);
  }

  #writtenOff(event: LotEvent, vanished: Stake): LotOutcome {
    const matches = [matchWithoutUnits(event, vanished)].filter(hasMoney);
    return { realised: matches.map((match) => this.#realised(match)), findings: [] };
  }
}

interface Closing {
  readonly matches: readonly Match[];
  readonly rest: Stake;
}

function hasMoney({ cost, referenceCost }: Match): boolean {
  return cost !== 0n || referenceCost !== 0n;
}

function soldStake({ day }: LotEvent, { quantity, proceeds, referenceProceeds }: Proceeds): DatedStake {
  return {
    ...negated({ quantity, cost: proceeds, referenceCost: referenceProceeds }),
    acquired: day,
    isEstimated: false,
  };
}

function inTargetCurrency(lots: readonly Lot[], { costRate }: Conversion): readonly Lot[] {
  return costRate === undefined ? lots : lots.map((lot) => ({ ...lot, cost: multiply(lot.cost, costRate) }));
}
