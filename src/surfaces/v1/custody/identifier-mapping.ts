// Identifier mappings on v1: what the words of custodians' files mean, as learned and as corrected.

import { writeActions } from '../../../actions/core/record-actions.ts';
import { identifierMappingRules } from '../../../actions/imports/names/identifier-mapping.ts';
import { v1Paths } from '../resource-paths.ts';

export const identifierMappingPaths = v1Paths({ actions: writeActions(identifierMappingRules) });
