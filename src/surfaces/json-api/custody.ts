// Auth flows and authorities on JSON:API, read-only: workspace administration writes them.

import { readActions } from '../../actions/core/record-actions.ts';
import { authFlowRules } from '../../actions/custody/auth-flow.ts';
import { authorityRules } from '../../actions/custody/authority.ts';
import { clientRules } from '../../actions/structure/client.ts';
import { jsonApiListPath, jsonApiReadPath } from './resource-paths.ts';

const parent = { actions: readActions(clientRules), parameter: 'client_id', relation: 'client' };
const authFlows = {
  actions: readActions(authFlowRules),
  parent,
  version: 'v3',
  filters: ['state', 'custodian'],
} as const;
const authorities = {
  actions: readActions(authorityRules),
  parent,
  version: 'v3',
  filters: ['state', 'custodian'],
} as const;

export const jsonApiCustodyPaths = [
  jsonApiListPath(authFlows),
  jsonApiReadPath(authFlows),
  jsonApiListPath(authorities),
  jsonApiReadPath(authorities),
];
