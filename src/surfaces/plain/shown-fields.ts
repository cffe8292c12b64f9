// The allow-list of Plain: the fields it shows of each resource. A field that is not listed here is not shown.

import { application, key } from '../../model/access/credential.ts';
import { instrumentClass, instrumentClassDetailed } from '../../model/instrument/instrument-class.ts';
import { seriesPoints } from '../../model/instrument/series-point.ts';
import { limit } from '../../model/limit/limit.ts';
import { invite } from '../../model/people/invite.ts';
import { user } from '../../model/people/user.ts';
import { client } from '../../model/structure/client.ts';
import { show, showAll, ShownFields } from '../http/operation/shown-fields.ts';
import { invitation } from './invitation.ts';
import { plainTransactionVariants } from './transaction-variants.ts';

export const plainFields = new ShownFields([
  show(client, 'name', 'referenceCurrency', 'accountingMethod', 'createdAt'),
  show(instrumentClass, 'name', 'path', 'parent'),
  show(
    instrumentClassDetailed,
    'name',
    'path',
    'assetClass',
    'liquidity',
    'allowedTransactionTypes',
    'valuationBasis',
    'performanceMeasure',
    'stalenessDays',
    'parent',
  ),
  ...seriesPoints.map((series) => show(series, 'date', 'value', 'source', 'instrument')),
  show(limit, 'kind', 'minPct', 'maxPct', 'minAmount', 'maxAmount', 'bounds', 'filter', 'client'),
  show(user, 'contactEmail', 'name', 'status', 'createdAt'),
  show(invite, 'personId', 'role', 'expiresAt', 'cancelledAt', 'client'),
  show(application, 'rights', 'createdAt', 'lastUsedAt', 'scopedTo'),
  show(key, 'name', 'rights', 'createdAt', 'lastUsedAt', 'scopedTo'),
  showAll(plainTransactionVariants.resource),
  showAll(invitation),
]);
