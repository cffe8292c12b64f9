// Clients on the Plain wire: read only, as that shape offers no writing.

import { clientRules } from '../../actions/structure/client.ts';
import { plainPaths } from './resource-paths.ts';

export const plainClientPaths = plainPaths({ rules: clientRules, collection: '/v2/clients', item: '/v2/clients/{id}' });
