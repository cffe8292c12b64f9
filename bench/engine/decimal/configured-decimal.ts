// Configures decimal.js for the comparison: enough precision for exact products, rounding half to even.

import { Decimal } from 'decimal.js';

Decimal.set({ precision: 40, rounding: Decimal.ROUND_HALF_EVEN });

export { Decimal };
