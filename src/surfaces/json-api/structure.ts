// Clients and all that they own and look at on the JSON:API wire.

import { accountRules } from '../../actions/structure/account.ts';
import { clientRules } from '../../actions/structure/client.ts';
import {
  depositoryRules,
  legalEntityRules,
  portfolioRules,
  reportingEntityRules,
} from '../../actions/structure/entities.ts';
import { jsonApiPaths } from './resource-paths.ts';

const clientParent = { rules: clientRules, parameter: 'client_id', relation: 'client' };
const legalEntityParent = { rules: legalEntityRules, parameter: 'id', relation: 'legalEntity' };
const reportingEntityParent = { rules: reportingEntityRules, parameter: 'id', relation: 'reportingEntity' };

export const jsonApiStructurePaths = [
  ...jsonApiPaths({ rules: clientRules }),
  ...jsonApiPaths({ rules: legalEntityRules, parent: clientParent }),
  ...jsonApiPaths({ rules: accountRules, parent: legalEntityParent }),
  ...jsonApiPaths({ rules: depositoryRules, parent: legalEntityParent }),
  ...jsonApiPaths({ rules: reportingEntityRules, parent: clientParent, readers: 'viewer' }),
  ...jsonApiPaths({ rules: portfolioRules, parent: reportingEntityParent }),
];
