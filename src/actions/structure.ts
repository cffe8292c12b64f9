// What a client owns and looks at: legal entities with their depositories, reporting entities with their portfolios.

import { depository } from '../model/depository.ts';
import { legalEntity } from '../model/legal-entity.ts';
import { portfolio } from '../model/portfolio.ts';
import { reportingEntity } from '../model/reporting-entity.ts';
import { ownedRules } from './owned.ts';

export const legalEntityRules = ownedRules(legalEntity);

export const depositoryRules = ownedRules(depository, {
  fill: ({ externalIdentifier }) => ({ name: externalIdentifier ?? 'Depository' }),
});

export const reportingEntityRules = ownedRules(reportingEntity);

export const portfolioRules = ownedRules(portfolio, { fill: () => ({ name: 'Portfolio' }) });
