// Computes by how much an index has raised the nominal of an index-linked bond.

import { defined } from '../../kit/assert.ts';
import type { Day } from '../../kit/day.ts';
import type { IndexRatio } from '../instruments/accrued-interest.ts';
import type { BondTerms } from '../instruments/instrument.ts';
import type { Series } from '../amounts/series.ts';
import type { ValuationFinding } from './value-part.ts';

export interface IndexRatioResult {
  /** Undefined if the bond is not index-linked or no factor is known. */
  readonly ratio: IndexRatio | undefined;
  readonly findings: readonly ValuationFinding[];
}

const notLinked: IndexRatioResult = { ratio: undefined, findings: [] };

export function indexRatioOn(terms: BondTerms, factors: Series, day: Day): IndexRatioResult {
  if (terms.index === undefined) return notLinked;
  const factor = factors.find(day)?.value;
  if (factor === undefined) return { ratio: undefined, findings: [{ kind: 'index-factor-missing', day }] };
  const { baseFactor } = terms.index;
  if (baseFactor !== null) return { ratio: { factor, baseFactor }, findings: [] };
  const { datedDate } = terms.schedule;
  const base = datedDate === undefined ? undefined : factors.find(datedDate);
  if (base !== undefined) return { ratio: { factor, baseFactor: base.value }, findings: [] };
  const first = defined(factors.first(), 'a series with a factor on the day has a first factor');
  return { ratio: { factor, baseFactor: first.value }, findings: [{ kind: 'index-base-assumed', day: first.day }] };
}
