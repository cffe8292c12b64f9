// What a client owns and looks at: legal entities with their depositories, reporting entities with their portfolios.

import { depository } from '../model/depository.ts';
import { legalEntity } from '../model/legal-entity.ts';
import { portfolio } from '../model/portfolio.ts';
import { reportingEntity } from '../model/reporting-entity.ts';
import { ownedRules } from './owned.ts';
import type { WriteRules } from './resource.ts';

export const legalEntityRules = ownedRules(legalEntity);

export const depositoryRules = ownedRules(depository, {
  fill: ({ externalIdentifier }) => ({ name: externalIdentifier ?? 'Depository' }),
});

export const reportingEntityRules: WriteRules<typeof reportingEntity> = {
  ...ownedRules(reportingEntity),
  closeBelow: (work, { id }) => work.store.limitStates.closeReportingEntity(id, work.now),
};

export const portfolioRules = ownedRules(portfolio, { fill: () => ({ name: 'Portfolio' }) });
