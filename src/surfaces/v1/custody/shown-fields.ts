// The fields that v1 shows of consent, imports, feeds and the names in them.

import { authFlow, authFlowFile } from '../../../model/custody/auth-flow.ts';
import { authority } from '../../../model/custody/authority.ts';
import {
  accountConnections,
  authFlowStart,
  custodianSettingsChange,
  givenConsent,
  grantedConsent,
  handedInFile,
  linkedRecords,
  operatorAssignment,
} from '../../../model/custody/custody-requests.ts';
import { feedRun } from '../../../model/custody/feed-run.ts';
import { identifierMapping } from '../../../model/custody/identifier-mapping.ts';
import { importCreation, importDefaults } from '../../../model/custody/import-requests.ts';
import { importProfile } from '../../../model/custody/import-profile.ts';
import { custodianSettings } from '../../../model/structure/custodian.ts';
import { reconciliationBreak } from '../../../model/custody/reconciliation-break.ts';
import { show, showAll, showAllBut } from '../../http/operation/shown-fields.ts';

export const custodyFields = [
  show(
    identifierMapping,
    'kind',
    'scheme',
    'value',
    'currency',
    'mic',
    'transactionType',
    'action',
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
    'header',
    'recognisedBy',
    'columns',
    'types',
    'texts',
    'signs',
    'costs',
    'directionWords',
    'pendingWords',
    'constants',
    'ignoredLines',
    'ignoredWords',
    'ignoredColumns',
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
  showAllBut(custodianSettings, 'hasSharedCallback'),
  showAllBut(custodianSettingsChange, 'hasSharedCallback'),
  showAll(authFlow),
  showAll(authFlowFile),
  showAll(authority),
  showAll(reconciliationBreak),
  ...[
    accountConnections,
    authFlowStart,
    givenConsent,
    grantedConsent,
    handedInFile,
    importCreation,
    importDefaults,
    linkedRecords,
    operatorAssignment,
  ].map(showAll),
];
