// Explains the value of a limit at a reporting entity and its distance to the bounds.

import type { Day } from '../../../kit/day.ts';
import { defined } from '../../../kit/assert.ts';
import { exposuresOf, holdingAt } from '../../../engine/history/holdings.ts';
import {
  explainHeadroom,
  explainHeadroomTo,
  explainLimitValue,
  explainUnclassifiedValue,
  lazyMarketValue,
  type ExplainedLimit,
  type Explanation,
} from '../../../engine/explanation/explanation.ts';
import type { FigureInGroup } from '../../../model/report/explainable-figures.ts';
import { limit as limitResource, type Limit } from '../../../model/limit/limit.ts';
import { appliesTo, limitExplanationDraft } from '../../limits/limit-outcome.ts';
import { notFound } from '../../core/resource.ts';
import type { ReportBasis } from '../report-basis.ts';
import type { ExplanationDraft } from './explanation-draft.ts';

export type LimitFigureName = FigureInGroup<'limit'>;

interface LimitFigureInput {
  readonly basis: ReportBasis;
  readonly day: Day;
  readonly limit: Limit;
}

export function explainLimit(figure: LimitFigureName, { basis, day, limit }: LimitFigureInput): ExplanationDraft {
  const isOurs = limit.client === basis.client && appliesTo(limit, basis.reportingEntity);
  if (!isOurs) throw notFound(limitResource);
  const { history } = basis;
  const { unclassifiedGap, ...draft } = limitExplanationDraft(basis, limit, day);
  if (figure === 'limitUnclassifiedValue' && unclassifiedGap !== undefined) throw unclassifiedGap;
  const explained = {
    ...draft,
    referenceCurrency: basis.currency,
    explainHolding: (position: number, part: number) =>
      lazyMarketValue(
        history,
        defined(exposuresOf(holdingAt(history, position, day))[part], 'the part was valued with the position'),
      ),
  };
  return { explanation: explainLimitFigure(figure, explained) };
}

function explainLimitFigure(figure: LimitFigureName, explained: ExplainedLimit): Explanation {
  switch (figure) {
    case 'limitValue':
      return explainLimitValue(explained);
    case 'limitHeadroom':
      return explainHeadroom(explained);
    case 'limitHeadroomToMin':
      return explainHeadroomTo('min', explained);
    case 'limitHeadroomToMax':
      return explainHeadroomTo('max', explained);
    case 'limitUnclassifiedValue':
      return (
        explainUnclassifiedValue(explained) ?? {
          name: 'unclassified-value',
          value: null,
          notes: ['no-class-in-filter'],
        }
      );
  }
}
