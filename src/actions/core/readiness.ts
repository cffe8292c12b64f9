// Whether work can be done: whether the database answers.

import type { AppContext } from './context.ts';

export async function isReady({ database }: AppContext): Promise<boolean> {
  try {
    await database.ping();
    return true;
  } catch {
    return false;
  }
}
