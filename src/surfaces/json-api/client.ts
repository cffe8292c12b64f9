// Clients on the JSON:API wire.

import { clientRules } from '../../actions/client.ts';
import { jsonApiPaths } from './paths.ts';

export const clientPaths = jsonApiPaths({
  rules: clientRules,
  collection: '/api/v2/clients',
  item: '/api/v2/clients/{id}',
  writeRefusals: ['client-not-found', 'parent-cycle'],
});
