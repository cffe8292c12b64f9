// decimal.js as the peers use it: long enough for every product to be exact, and half-even.

import { Decimal } from 'decimal.js';

Decimal.set({ precision: 40, rounding: Decimal.ROUND_HALF_EVEN });

export { Decimal };
