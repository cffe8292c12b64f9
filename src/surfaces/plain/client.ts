// Clients on Plain: read only.

import { readActions } from '../../actions/core/record-actions.ts';
import { clientRules } from '../../actions/structure/client.ts';
import { plainPaths } from './resource-paths.ts';

export const plainClientPaths = plainPaths({
  actions: readActions(clientRules),
  collection: '/v2/clients',
  item: '/v2/clients/{id}',
});
