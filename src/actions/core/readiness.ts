// Whether work can be done: whether the database answers.

import type { House } from './context.ts';

export async function isReady({ database }: House): Promise<boolean> {
  try {
    await database.ping();
    return true;
  } catch {
    return false;
  }
}
