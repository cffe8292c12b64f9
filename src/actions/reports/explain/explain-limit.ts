// Explains the value of a limit at a reporting entity and its distance to the bounds.

import type { Day } from '../../../kit/day.ts';
import { holdingAt } from '../../../engine/history/holdings.ts';
import { explainHeadroom, explainLimitValue, lazyMarketValue } from '../../../engine/explanation/explanation.ts';
import type { FigureInGroup } from '../../../model/report/explainable-figures.ts';
import { limit as limitResource, type Limit } from '../../../model/limit/limit.ts';
import { appliesTo, limitExplanationDraft } from '../../limits/limit-outcome.ts';
import { notFound } from '../../core/resource.ts';
import type { ReportBasis } from '../report-basis.ts';
import type { ExplanationDraft } from './explanation-draft.ts';

interface LimitFigureInput {
  readonly basis: ReportBasis;
  readonly day: Day;
  readonly limit: Limit;
}

export function explainLimit(
  figure: FigureInGroup<'limit'>,
  { basis, day, limit }: LimitFigureInput,
): ExplanationDraft {
  const isOurs = limit.client === basis.client && appliesTo(limit, basis.reportingEntity);
  if (!isOurs) throw notFound(limitResource);
  const { history } = basis;
  const explained = {
    ...limitExplanationDraft(basis, limit, day),
    referenceCurrency: basis.currency,
    explainHolding: (position: number) => lazyMarketValue(history, holdingAt(history, position, day)),
  };
  return { explanation: figure === 'limitValue' ? explainLimitValue(explained) : explainHeadroom(explained) };
}
