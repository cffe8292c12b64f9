// Instruments on the JSON:API wire: the shared catalogue, and what is private to a reporting entity. The type of a document
// decides which attributes it has. Nothing is changed here: that track is frozen.

import { instrumentRules } from '../../actions/instruments/instrument.ts';
import { reportingEntityRules } from '../../actions/structure/entities.ts';
import { createPath, deletePath, listPath, readPath } from './resource-paths.ts';

const inCatalogue = {
  rules: instrumentRules,
  version: 'v3',
  filters: ['externalIdentifier', 'name', 'type', 'instrumentClass'],
  where: { reportingEntity: null },
  exampleType: 'stock-instrument',
} as const;

const ofReportingEntity = {
  rules: instrumentRules,
  version: 'v3',
  above: { rules: reportingEntityRules, parameter: 'reportingEntityId', relation: 'reportingEntity' },
  called: { collection: 'private-instruments', one: 'private-instrument' },
  exampleType: 'private-market-fund',
} as const;

export const instrumentPaths = [
  listPath(inCatalogue),
  createPath(inCatalogue),
  readPath(inCatalogue),
  deletePath(inCatalogue),
  listPath(ofReportingEntity),
  createPath(ofReportingEntity),
];
