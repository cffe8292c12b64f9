// Clients and all that they own and look at on v1, with the settings that only this wire can write.

import { accountRules } from '../../actions/account.ts';
import { clientRules } from '../../actions/client.ts';
import { custodianRules } from '../../actions/custodian.ts';
import { depositoryRules, legalEntityRules, portfolioRules, reportingEntityRules } from '../../actions/structure.ts';
import { clientTreePath } from './client-tree.ts';
import { v1Paths } from './paths.ts';

export const structurePaths = [
  ...v1Paths({ rules: clientRules }),
  clientTreePath,
  ...v1Paths({ rules: legalEntityRules }),
  ...v1Paths({ rules: accountRules }),
  ...v1Paths({ rules: depositoryRules }),
  ...v1Paths({ rules: reportingEntityRules, readers: 'viewer' }),
  ...v1Paths({ rules: portfolioRules }),
  ...v1Paths({ rules: custodianRules }),
];
