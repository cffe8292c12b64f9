// Clients and all that they own and look at on v1, with the settings that only this wire can write.

import { accountRules } from '../../../actions/structure/account.ts';
import { clientRules } from '../../../actions/structure/client.ts';
import { custodianRules } from '../../../actions/custody/custodian.ts';
import {
  depositoryRules,
  legalEntityRules,
  portfolioRules,
  reportingEntityRules,
} from '../../../actions/structure/entities.ts';
import { clientTreePath } from './client-tree.ts';
import { v1Paths } from '../resource-paths.ts';

export const v1StructurePaths = [
  ...v1Paths({ rules: clientRules }),
  clientTreePath,
  ...v1Paths({ rules: legalEntityRules }),
  ...v1Paths({ rules: accountRules }),
  ...v1Paths({ rules: depositoryRules }),
  ...v1Paths({ rules: reportingEntityRules, readers: 'viewer' }),
  ...v1Paths({ rules: portfolioRules }),
  ...v1Paths({ rules: custodianRules }),
];
