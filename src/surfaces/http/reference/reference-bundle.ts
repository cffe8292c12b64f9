// Loads the viewer's script from its package. Uses a thread, because parsing megabytes would block the event loop.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export async function loadReferenceBundle(): Promise<string> {
  const worker = new Worker(new URL('./reference-bundle-thread.ts', import.meta.url));
  const [script] = (await once(worker, 'message')) as [string];
  await worker.terminate();
  return script;
}
