// Instruments on JSON:API: the shared catalogue, and those private to a reporting entity. The type of a document decides which
// attributes it has. Instruments cannot be changed here, since JSON:API gets no new operations.

import { readActions } from '../../actions/core/record-actions.ts';
import { instrumentActions } from '../../actions/instruments/instrument-actions.ts';
import { privateMarketFund } from '../../model/instrument/private-market-fund.ts';
import { stock } from '../../model/instrument/stock.ts';
import { reportingEntityRules } from '../../actions/structure/entities.ts';
import { jsonApiCreatePath, jsonApiDeletePath, jsonApiListPath, jsonApiReadPath } from './resource-paths.ts';

const catalogue = {
  actions: instrumentActions,
  version: 'v3',
  filters: ['externalIdentifier', 'name', 'type', 'instrumentClass'],
  where: { reportingEntity: null },
  exampleType: stock.type,
} as const;

const privateInstruments = {
  actions: instrumentActions,
  version: 'v3',
  parent: { actions: readActions(reportingEntityRules), parameter: 'reportingEntityId', relation: 'reportingEntity' },
  alias: { collection: 'private-instruments', one: 'private-instrument' },
  exampleType: privateMarketFund.type,
} as const;

export const jsonApiInstrumentPaths = [
  jsonApiListPath(catalogue),
  jsonApiCreatePath(catalogue),
  jsonApiReadPath(catalogue),
  jsonApiDeletePath(catalogue),
  jsonApiListPath(privateInstruments),
  jsonApiCreatePath(privateInstruments),
];
