// The link from a figure to its explanation.

import type { EntityView } from '../entity-view.ts';

/** The link to a figure's explanation, for those who may follow it. */
export function explained(
  view: EntityView,
  figure: string,
  parameters: Readonly<Record<string, string | undefined>>,
): { readonly explain?: string } {
  const explain = view.explainHref(figure, parameters);
  return explain === undefined ? {} : { explain };
}
