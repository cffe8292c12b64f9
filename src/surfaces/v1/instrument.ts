// Instruments and their classes on v1, where both are managed.

import { instrumentClassRules } from '../../actions/instrument-class.ts';
import { instrumentRules } from '../../actions/instrument.ts';
import { v1Paths } from './paths.ts';

export const instrumentPaths = [...v1Paths({ rules: instrumentRules }), ...v1Paths({ rules: instrumentClassRules })];
