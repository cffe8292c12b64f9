// Instruments on the JSON:API wire: the shared catalogue, and what is private to a reporting entity. The type of a document
// decides which attributes it has. Nothing is changed here: that track is frozen.

import { readActions, writeActions } from '../../actions/core/record-actions.ts';
import { instrumentRules } from '../../actions/instruments/instrument.ts';
import { privateMarketFund } from '../../model/instrument/private-market-fund.ts';
import { stock } from '../../model/instrument/stock.ts';
import { reportingEntityRules } from '../../actions/structure/entities.ts';
import { jsonApiCreatePath, jsonApiDeletePath, jsonApiListPath, jsonApiReadPath } from './resource-paths.ts';

const catalogue = {
  actions: writeActions(instrumentRules),
  version: 'v3',
  filters: ['externalIdentifier', 'name', 'type', 'instrumentClass'],
  where: { reportingEntity: null },
  exampleType: stock.type,
} as const;

const privateInstruments = {
  actions: writeActions(instrumentRules),
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
