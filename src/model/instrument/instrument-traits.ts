// What the type of an instrument decides. Each type declares its traits beside its fields, and all other code asks for a
// trait instead of comparing type names.

import { declareResource, type Resource } from '../../kit/resource.ts';
import type { DayCountConvention } from './day-count-convention.ts';
import type { InstrumentPriceUnit } from './instrument-fields.ts';
import type { SeriesKind } from './series-point.ts';
import type { TermCheck } from './term-checks.ts';

/** The ways in which terms become a value; several types may share one. */
type TermFamily =
  | 'listed'
  | 'fund'
  | 'bond'
  | 'index-linked-bond'
  | 'zero-coupon-bond'
  | 'loan'
  | 'fee'
  | 'private-fund'
  | 'forward'
  | 'other';

/** Either the same for every instrument of the type, or what a new one gets when none is sent. */
type TypeRule<T> = { readonly fixed: T } | { readonly default: T };

export interface InstrumentTraits {
  /** Decides which terms the engine is given, and by them how the instrument is valued. */
  readonly termFamily: TermFamily;
  /** Trades in bonds are in nominal, at a clean price, with the accrued interest apart. */
  readonly isBond: boolean;
  /** Whether performance is usefully compared with it: its series is a level that anybody could have bought. */
  readonly canBeBenchmark: boolean;
  /** The time series that it may have: those that value it, and those that the specification allows. */
  readonly series: readonly SeriesKind[];
  readonly priceUnit: TypeRule<InstrumentPriceUnit>;
  /** How its interest, fee or accretion counts days; null if nothing accrues. */
  readonly dayCount: TypeRule<DayCountConvention> | null;
  /** Whether its terms fit each other. */
  readonly checks: readonly TermCheck[];
}

export type InstrumentDeclaration = Resource & { readonly traits: InstrumentTraits };

/** Declares a type of instrument; without traits it does not compile. */
export function declareInstrumentType<const D extends InstrumentDeclaration>(declaration: D): D {
  return declareResource(declaration);
}

/** One price is for one unit, unless the instrument says otherwise. */
export const pricedPerUnit = { default: '1' } as const satisfies TypeRule<InstrumentPriceUnit>;
