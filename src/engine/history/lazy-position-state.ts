// A position at the end of a day, as valuation needs it; each property is looked up on first use.

import type { Fixed } from '../../kit/fixed.ts';
import type { Day } from '../../kit/day.ts';
import type { DatedQuantityAndCost } from '../lots/lot.ts';
import { countUntil, type Point } from '../amounts/series.ts';
import type { BookedCoupon } from '../valuation/booked-coupon.ts';
import type { BoughtNominal, FundPlaces } from '../valuation/position-state.ts';
import type { PositionState, UploadedValue } from '../valuation/valuation.ts';
import type { PositionFacts } from './position-facts.ts';
import { uploadAsOf, uploadShare } from './upload-value.ts';

interface PositionStateSource {
  readonly facts: PositionFacts;
  readonly day: Day;
  /** The day at whose end it was held: the day itself, or an earlier one if it has left since. */
  readonly heldOn: Day;
  /** Moves of units, also out of all own places, count up to this day: the day itself, or the one before to see what would be without them. */
  readonly movesUntil?: Day;
  cost(): Fixed;
  lots(): readonly DatedQuantityAndCost[];
}

export class LazyPositionState implements PositionState {
  readonly quantity: Fixed;
  readonly #source: PositionStateSource;

  constructor(source: PositionStateSource) {
    this.#source = source;
    this.quantity = source.facts.steps.valueOn(source.heldOn);
  }

  get cost(): Fixed {
    return this.#source.cost();
  }

  get lots(): readonly DatedQuantityAndCost[] {
    return this.#source.lots();
  }

  get quantities(): readonly Point[] {
    return this.#source.facts.unitsBy(this.#source.day);
  }

  get lastTrade(): Point | null {
    return findLatest(this.#source.facts.trades, this.#source.day);
  }

  get uploadElsewhere(): UploadedValue | null {
    return findLatest(this.#source.facts.uploadsAnywhere, this.#source.day);
  }

  /** An upload of the day states what is there at its end, not what has left by then. */
  get upload(): UploadedValue | null {
    const { facts, day, heldOn } = this.#source;
    const until = heldOn < day ? day - 1 : day;
    const upload = findLatest(facts.uploads, until);
    return upload && uploadAsOf(uploadShare(upload, facts.steps.valueOn(upload.day)), until);
  }

  get carriedPrice(): UploadedValue | null {
    const { facts, day } = this.#source;
    return findLatest(facts.carriedPrices, day);
  }

  get fundFlows(): readonly Point[] {
    const { facts, day, movesUntil = day } = this.#source;
    return facts.fundFlowsBy(movesUntil);
  }

  get fundPlaces(): FundPlaces | null {
    const { facts, day, heldOn, movesUntil = day } = this.#source;
    return facts.fundPlacesBy(movesUntil, heldOn);
  }

  get boughtInterest(): readonly Point[] {
    return this.#source.facts.boughtInterestBy(this.#source.day);
  }

  get boughtWithoutInterest(): readonly BoughtNominal[] {
    return this.#source.facts.boughtWithoutInterestBy(this.#source.day);
  }

  get coupons(): readonly BookedCoupon[] {
    return this.#source.facts.couponsBy(this.#source.day);
  }

  get lastFee(): Day | null {
    return this.#source.facts.lastFeeBy(this.#source.day);
  }
}

interface UnitsOnlySource extends Pick<PositionStateSource, 'facts' | 'day'> {
  readonly quantity: Fixed;
}

/** Units that may or may not be held: their cost and since when are unknown. */
export class UnitsOnlyState implements PositionState {
  readonly quantity: Fixed;
  readonly cost = 0n;
  readonly lots = [];
  readonly quantities = [];
  readonly fundFlows = [];
  readonly boughtInterest = [];
  readonly boughtWithoutInterest = [];
  readonly coupons = [];
  readonly lastFee = null;
  readonly #facts: PositionFacts;
  readonly #day: Day;

  constructor({ facts, day, quantity }: UnitsOnlySource) {
    this.quantity = quantity;
    this.#facts = facts;
    this.#day = day;
  }

  get lastTrade(): Point | null {
    return findLatest(this.#facts.trades, this.#day);
  }

  get uploadElsewhere(): UploadedValue | null {
    return findLatest(this.#facts.uploadsAnywhere, this.#day - 1);
  }

  /** On the day itself the upload states the whole position, so only the price it implies counts. */
  get upload(): UploadedValue | null {
    const until = this.#day - 1;
    const upload = findLatest(this.#facts.uploads, until);
    return upload && uploadAsOf(upload, until);
  }
}

/** Units that moved, by the price of the place that they left. Its history must be known, so this is not for lots. */
export class MovedUnitsState extends UnitsOnlyState {
  readonly carriedPrice: UploadedValue | null;
  readonly #facts: PositionFacts;

  /** The price is stated while the prices of other moves are computed from it. */
  constructor(source: UnitsOnlySource & { readonly carriedPrice?: UploadedValue | null }) {
    super(source);
    const { facts, day, carriedPrice = findLatest(facts.carriedPrices, day) } = source;
    this.carriedPrice = carriedPrice;
    this.#facts = facts;
  }

  override get upload(): UploadedValue | null {
    const upload = super.upload;
    return upload && uploadShare(upload, this.#facts.steps.valueOn(upload.day));
  }
}

/** A stake in a private fund that left its place, which several own places have paid for. */
export class LeftShareState extends UnitsOnlyState {
  readonly fundPlaces: FundPlaces;

  constructor({ fundPlaces, ...source }: UnitsOnlySource & { readonly fundPlaces: FundPlaces }) {
    super(source);
    this.fundPlaces = fundPlaces;
  }
}

function findLatest<T extends { readonly day: Day }>(items: readonly T[], day: Day): T | null {
  if (items.length === 0) return null;
  return items[countUntil(items, day) - 1] ?? null;
}
