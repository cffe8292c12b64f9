// The value of a limit at a reporting entity and its distance to the bounds, explained. Knows no wire.

import type { Day } from '../../kit/day.ts';
import { explainHeadroom, explainLimitValue } from '../../engine/explanation.ts';
import type { FigureOf } from '../../model/report/explained-figures.ts';
import { limit as limitResource, type Limit } from '../../model/limit.ts';
import { isFor, limitWorking } from '../limit-outcome.ts';
import { notFound } from '../resource.ts';
import type { ReportScope } from './open-report.ts';
import type { Working } from './working.ts';

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
