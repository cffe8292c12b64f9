// The rules of legal entities, depositories, reporting entities and portfolios.

import { depository } from '../../model/structure/depository.ts';
import { legalEntity } from '../../model/structure/legal-entity.ts';
import { portfolio } from '../../model/structure/portfolio.ts';
import { reportingEntity } from '../../model/structure/reporting-entity.ts';
import { ownedRules } from '../core/owned-resource.ts';
import type { WriteRules } from '../core/resource.ts';

export const legalEntityRules = ownedRules(legalEntity);

export const depositoryRules: WriteRules<typeof depository> = {
  ...ownedRules(depository, {
    defaults: ({ externalIdentifier }) => ({ name: externalIdentifier ?? 'Depository' }),
  }),
  beforeDelete: (work, { id }) => work.store.custody.statedHoldings.closeDepository(id, work.now),
};

export const reportingEntityRules: WriteRules<typeof reportingEntity> = {
  ...ownedRules(reportingEntity),
  beforeDelete: (work, { id }) => work.store.limitStates.closeReportingEntity(id, work.now),
};

export const portfolioRules = ownedRules(portfolio, { defaults: () => ({ name: 'Portfolio' }) });
