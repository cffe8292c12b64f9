// Names a lot within its position, for tests that compare or print lots.

import type { LotKey } from '../../../src/engine/lots/lot.ts';

export function lotId({ row, ordinal }: LotKey): string {
  return `${row}.${ordinal}`;
}
