// The axes that reports are broken down by, and the segments of a position on each. A position without a value on an axis is in
// its residual segment, so that the segments of every axis except `portfolio` partition the total.

import { findSyntheticInstrument, type PositionKey } from '../../../engine/ledger/position-key.ts';
import type { ClassLookup } from '../inputs/class-lookup.ts';
import type { EntityPlaces } from '../inputs/client-structure.ts';

export const axes = [
  'account',
  'depository',
  'portfolio',
  'instrument',
  'class',
  'detailed-class',
  'currency',
] as const;

export type Axis = (typeof axes)[number];

/** The segment of positions without a value on an axis. */
export const residualSegment = '';

export interface AxisContext {
  readonly places: EntityPlaces;
  readonly classes: ClassLookup;
  /** The currency of a position's instrument. */
  currencyOf(key: PositionKey): string;
}

/** Returns several segments only for portfolios, which may overlap. */
export function segmentsOn(axis: Axis, key: PositionKey, context: AxisContext): readonly string[] {
  if (axis === 'portfolio') return context.places.listPortfolios(key);
  return [segmentOn(axis, key, context) ?? residualSegment];
}

function segmentOn(axis: Exclude<Axis, 'portfolio'>, key: PositionKey, context: AxisContext): string | null {
  const { classes } = context;
  switch (axis) {
    case 'account':
      return key.account;
    case 'depository':
      return key.depository;
    case 'instrument':
      return key.instrument;
    case 'class':
      return classes.pathOf(key.instrument)[0]?.id ?? null;
    case 'detailed-class':
      return classes.pathOf(key.instrument).at(-1)?.id ?? null;
    case 'currency':
      return findSyntheticInstrument(key.instrument)?.currency ?? context.currencyOf(key);
  }
}
