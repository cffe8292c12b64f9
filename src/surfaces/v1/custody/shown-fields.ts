// The fields that v1 shows of imports, feeds and the names in them.

import { feedRun } from '../../../model/custody/feed-run.ts';
import { identifierMapping } from '../../../model/custody/identifier-mapping.ts';
import { importProfile } from '../../../model/custody/import-profile.ts';
import { show } from '../../http/operation/shown-fields.ts';

export const custodyFields = [
  show(
    identifierMapping,
    'kind',
    'scheme',
    'value',
    'currency',
    'mic',
    'source',
    'createdAt',
    'client',
    'custodian',
    'account',
    'depository',
    'instrument',
  ),
  show(
    importProfile,
    'name',
    'content',
    'delimiter',
    'decimalMark',
    'dateOrder',
    'recognisedBy',
    'columns',
    'types',
    'signs',
    'directionWords',
    'pendingWords',
    'constants',
    'ignoredLines',
    'isShipped',
    'createdAt',
  ),
  show(
    feedRun,
    'state',
    'connector',
    'dueAt',
    'startedAt',
    'finishedAt',
    'attempts',
    'fromMark',
    'toMark',
    'counts',
    'importIds',
    'problems',
    'waitsFor',
    'nextRunAt',
    'error',
    'errorDetail',
    'client',
    'authority',
    'custodian',
  ),
];
