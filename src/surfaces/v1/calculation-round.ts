// Rounds of calculation on v1: newest first, never written from outside.

import type { calculationRound } from '../../model/calculation-round.ts';
import { calculationRoundRules } from '../../actions/round.ts';
import { listPath, readPath, type V1Paths } from './paths.ts';

const paths: V1Paths<typeof calculationRound> = { rules: calculationRoundRules, order: 'newest-first' };

export const calculationRoundPaths = [listPath(paths), readPath(paths)];
