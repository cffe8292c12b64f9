// Rounds of calculation on v1: read only, newest first.

import type { calculationRound } from '../../../model/limit/calculation-round.ts';
import { readActions } from '../../../actions/core/record-actions.ts';
import { calculationRoundRules } from '../../../actions/rounds/round.ts';
import { v1ListPath, v1ReadPath, type V1Paths } from '../resource-paths.ts';

const paths: V1Paths<typeof calculationRound> = { actions: readActions(calculationRoundRules), order: 'newest-first' };

export const calculationRoundPaths = [v1ListPath(paths), v1ReadPath(paths)];
