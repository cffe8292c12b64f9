// The browser's part of the API reference, out of its package. Loaded in a thread of its own when first asked for: it is
// megabytes to parse, and the event loop has other callers.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export async function loadReferenceBundle(): Promise<string> {
  const worker = new Worker(new URL('./reference-bundle-thread.ts', import.meta.url));
  const [script] = (await once(worker, 'message')) as [string];
  await worker.terminate();
  return script;
}
