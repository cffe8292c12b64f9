// Explains the value of a limit at a reporting entity and its distance to the bounds.

import type { Day } from '../../../kit/day.ts';
import { explainHeadroom, explainLimitValue } from '../../../engine/explanation/explanation.ts';
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
  const explained = { ...limitExplanationDraft(basis, limit, day), referenceCurrency: basis.currency };
  return { explanation: figure === 'limitValue' ? explainLimitValue(explained) : explainHeadroom(explained) };
}
