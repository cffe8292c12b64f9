// The value of a limit at a reporting entity and its distance to the bounds, explained. Knows no wire.

import type { Day } from '../../../kit/day.ts';
import { explainHeadroom, explainLimitValue } from '../../../engine/explanation/explanation.ts';
import type { FigureOf } from '../../../model/report/explainable-figures.ts';
import { limit as limitResource, type Limit } from '../../../model/limit/limit.ts';
import { isFor, limitWorking } from '../../limits/limit-outcome.ts';
import { notFound } from '../../core/resource.ts';
import type { ReportScope } from '../report-basis.ts';
import type { Working } from './explanation-draft.ts';

export interface LimitFigure {
  readonly scope: ReportScope;
  readonly day: Day;
  readonly limit: Limit;
}

export function explainLimit(figure: FigureOf<'limit'>, { scope, day, limit }: LimitFigure): Working {
  const isOurs = limit.client === scope.client && isFor(limit, scope.reportingEntity);
  if (!isOurs) throw notFound(limitResource);
  const explained = { ...limitWorking(scope, limit, day), referenceCurrency: scope.currency };
  return { explanation: figure === 'limitValue' ? explainLimitValue(explained) : explainHeadroom(explained) };
}
