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

const belowClient = { rules: clientRules, parameter: 'client_id', relation: 'client' };
const belowLegalEntity = { rules: legalEntityRules, parameter: 'id', relation: 'legalEntity' };
const belowReportingEntity = { rules: reportingEntityRules, parameter: 'id', relation: 'reportingEntity' };

export const structurePaths = [
  ...jsonApiPaths({ rules: clientRules }),
  ...jsonApiPaths({ rules: legalEntityRules, above: belowClient }),
  ...jsonApiPaths({ rules: accountRules, above: belowLegalEntity }),
  ...jsonApiPaths({ rules: depositoryRules, above: belowLegalEntity }),
  ...jsonApiPaths({ rules: reportingEntityRules, above: belowClient, readers: 'viewer' }),
  ...jsonApiPaths({ rules: portfolioRules, above: belowReportingEntity }),
];
