// All pages of custody.

import { authFlowPaths } from './auth-flow-page.ts';
import { authorityPaths } from './authority-page.ts';
import { breakPaths } from './break-pages.ts';
import { connectionPaths } from './connections-page.ts';
import { feedPaths } from './feed-pages.ts';
import { reconciliationPaths } from './reconciliation-page.ts';

export const custodyPaths = [
  ...connectionPaths,
  ...authFlowPaths,
  ...authorityPaths,
  ...feedPaths,
  ...breakPaths,
  ...reconciliationPaths,
];
