// Explains the status of a limit at each of its reporting entities by what they hold.

import {
  explainedLimitFigures,
  type ReportedEntityStatus,
  type ReportedLimitStatus,
} from '../../../model/report/limit-status.ts';
import { getLimit, getLimitStatus, listLimitBases } from '../../limits/limit-status.ts';
import type { Work } from '../../core/work.ts';
import type { ReportMoment } from '../report-basis.ts';
import { latestDay } from '../latest-day.ts';
import { explainLimit, type LimitFigureName } from './explain-limit.ts';
import { RowExplainer, type RowExplanations } from './explain-rows.ts';

interface ExplainedLimitStatus extends Omit<ReportedLimitStatus, 'reportingEntities'> {
  readonly reportingEntities: readonly (ReportedEntityStatus & {
    readonly explanations: RowExplanations<(typeof explainedLimitFigures)[number]>;
  })[];
}

export async function explainLimitStatus(work: Work, id: string, moment: ReportMoment): Promise<ExplainedLimitStatus> {
  const limit = await getLimit(work, id, moment);
  const status = await getLimitStatus(work, id, moment);
  const bases = await listLimitBases(work, limit, moment);
  const reportingEntities: ExplainedLimitStatus['reportingEntities'][number][] = [];
  for (const entity of status.reportingEntities) {
    const basis = bases.find(({ reportingEntity }) => reportingEntity === entity.reportingEntityId);
    const count = status.reportingEntities.length * explainedLimitFigures.length;
    const explainer = basis && (await RowExplainer.open(work, basis, count));
    const draft = (figure: LimitFigureName) => () =>
      explainLimit(figure, { basis: basis!, day: latestDay(basis!), limit });
    const explanations =
      explainer === undefined || entity.reason === 'fx-rate-missing'
        ? {}
        : await explainer.explain({
            currentValue: draft('limitValue'),
            headroomToMin: entity.headroomToMin === null ? undefined : draft('limitHeadroomToMin'),
            headroomToMax: entity.headroomToMax === null ? undefined : draft('limitHeadroomToMax'),
            headroom: draft('limitHeadroom'),
            unclassifiedValue: entity.unclassifiedValue === null ? undefined : draft('limitUnclassifiedValue'),
          });
    reportingEntities.push({ ...entity, explanations });
  }
  return { ...status, reportingEntities };
}
