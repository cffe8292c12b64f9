// Clients, what they own, and their reporting entities on v1, with the settings that only v1 can write.

import { writeActions } from '../../../actions/core/record-actions.ts';
import { accountRules } from '../../../actions/structure/account.ts';
import { clientRules } from '../../../actions/structure/client.ts';
import { custodianRules } from '../../../actions/custody/custodian.ts';
import {
  depositoryRules,
  legalEntityRules,
  portfolioRules,
  reportingEntityRules,
} from '../../../actions/structure/entities.ts';
import { keepingNamed } from '../../../actions/limits/limit-names.ts';
import { accountBalancePath } from '../reports/account-balance.ts';
import { clientTreePath } from './client-tree.ts';
import { v1Paths } from '../resource-paths.ts';

export const v1StructurePaths = [
  ...v1Paths({ actions: writeActions(clientRules), readers: 'admin' }),
  clientTreePath,
  ...v1Paths({ actions: writeActions(legalEntityRules) }),
  ...v1Paths({ actions: writeActions(accountRules) }),
  accountBalancePath,
  ...v1Paths({ actions: writeActions(depositoryRules) }),
  ...v1Paths({ actions: writeActions(reportingEntityRules), readers: 'viewer' }),
  ...v1Paths({ actions: writeActions(keepingNamed(portfolioRules)) }),
  ...v1Paths({ actions: writeActions(keepingNamed(custodianRules)) }),
];
