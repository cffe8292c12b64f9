// Names the rates that fit where several do, and so none is the money-weighted return or the IRR.

import { defineTexts } from '../../language/texts.ts';
import type { EntityView } from '../entity-view.ts';

export const severalRatesTexts = defineTexts({
  en: { fit: (rates: string) => `several rates fit: ${rates}` },
  de: { fit: (rates) => `mehrere Zinssätze passen: ${rates}` },
});

/** Undefined unless several rates fit. */
export function severalRatesText(
  { page: { formats, reader } }: EntityView,
  roots: readonly string[],
): string | undefined {
  if (roots.length === 0) return undefined;
  const rates = new Intl.ListFormat(reader.language).format(roots.map((root) => formats.percent(root)));
  return severalRatesTexts[reader.language].fit(rates);
}
