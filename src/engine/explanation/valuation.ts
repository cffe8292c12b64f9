// Explains the value of a holding on a day: the sum of its terms, and its conversion to another currency.

import type { Fixed } from '../../kit/fixed.ts';
import type { Conversion } from '../currencies/exchange-rates.ts';
import type { Valuation } from '../valuation/valuation.ts';
import { convertedFigure } from './conversion.ts';
import { amountFigure, sumOperands, type Figure } from './figure.ts';
import { explainAccruedPart, explainPart, type ValueSources } from './value-part.ts';

export type { ValueSources };

/** In the currency of the valuation. */
export function explainValuation(valuation: Valuation, sources: ValueSources = {}): Figure {
  const { currency, value, parts } = valuation;
  const terms = parts.map((part) => explainPart(part, { valuation, sources }));
  return amountFigure('value', value, { unit: currency, ...sumOperands(terms), notes: valuationNotes(valuation) });
}

/** Each once, flags first, then in alphabetical order. */
function valuationNotes({ isStale, isEstimated, findings }: Valuation): readonly string[] {
  const flags = [...(isStale ? ['stale'] : []), ...(isEstimated ? ['estimated'] : [])];
  return [...flags, ...new Set(findings.map(({ kind }) => kind).toSorted())];
}

interface ConvertedValue {
  readonly valuation: Valuation;
  /** Converted. */
  readonly value: Fixed;
  readonly conversion: Conversion;
}

/** In the currency it was converted to. */
export function explainConvertedValue({ valuation, value, conversion }: ConvertedValue, sources: ValueSources): Figure {
  const original = explainValuation(valuation, sources);
  const { day } = conversion;
  return { ...convertedFigure('market-value', value, { original, conversion, facets: { day } }), day };
}

/** Accrued interest and fees, in the currency of the valuation. */
export function explainAccrued(valuation: Valuation, sources: ValueSources = {}): Figure {
  const { currency, accrued, parts } = valuation;
  const terms = parts.flatMap((part) => explainAccruedPart(part, { valuation, sources }) ?? []);
  return amountFigure('accrued-interest', accrued, { unit: currency, ...sumOperands(terms) });
}
