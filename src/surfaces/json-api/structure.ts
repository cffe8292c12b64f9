// Clients, what they own, and their reporting entities on JSON:API.

import { readActions, writeActions } from '../../actions/core/record-actions.ts';
import { accountRules } from '../../actions/structure/account.ts';
import { clientRules } from '../../actions/structure/client.ts';
import {
  depositoryRules,
  legalEntityRules,
  portfolioRules,
  reportingEntityRules,
} from '../../actions/structure/entities.ts';
import { jsonApiPaths } from './resource-paths.ts';

const clientParent = { actions: readActions(clientRules), parameter: 'client_id', relation: 'client' };
const legalEntityParent = { actions: readActions(legalEntityRules), parameter: 'id', relation: 'legalEntity' };
const reportingEntityParent = {
  actions: readActions(reportingEntityRules),
  parameter: 'id',
  relation: 'reportingEntity',
};

export const jsonApiStructurePaths = [
  ...jsonApiPaths({ actions: writeActions(clientRules) }),
  ...jsonApiPaths({ actions: writeActions(legalEntityRules), parent: clientParent }),
  ...jsonApiPaths({ actions: writeActions(accountRules), parent: legalEntityParent }),
  ...jsonApiPaths({ actions: writeActions(depositoryRules), parent: legalEntityParent }),
  ...jsonApiPaths({ actions: writeActions(reportingEntityRules), parent: clientParent, readers: 'viewer' }),
  ...jsonApiPaths({ actions: writeActions(portfolioRules), parent: reportingEntityParent }),
];
