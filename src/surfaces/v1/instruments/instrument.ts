// Instruments and their classes on v1, where both are managed.

import { instrumentClassRules } from '../../../actions/instruments/instrument-class.ts';
import { instrumentRules } from '../../../actions/instruments/instrument.ts';
import { v1Paths } from '../resource-paths.ts';

export const v1InstrumentPaths = [...v1Paths({ rules: instrumentRules }), ...v1Paths({ rules: instrumentClassRules })];
