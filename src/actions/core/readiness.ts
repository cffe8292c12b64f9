// Tells whether the service is ready, which it is while the database answers.

import type { AppContext } from './context.ts';

export async function isReady({ stores }: AppContext): Promise<boolean> {
  try {
    await stores.ping();
    return true;
  } catch {
    return false;
  }
}
