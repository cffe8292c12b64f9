// Vitest has Node look for a source map in every module and in every function made from text. There is none to find: types are stripped
// in place, so that lines and columns stay.

import { setSourceMapsSupport } from 'node:module';

setSourceMapsSupport(false);
