// Instruments and their classes on v1, the wire that manages both.

import { writeActions } from '../../../actions/core/record-actions.ts';
import { instrumentClassRules } from '../../../actions/instruments/instrument-class.ts';
import { keptInstrumentActions } from '../../../actions/instruments/instrument-actions.ts';
import { keepingNamed } from '../../../actions/limits/limit-names.ts';
import { v1Paths } from '../resource-paths.ts';

export const v1InstrumentPaths = [
  ...v1Paths({ actions: keptInstrumentActions }),
  ...v1Paths({ actions: writeActions(keepingNamed(instrumentClassRules)) }),
];
