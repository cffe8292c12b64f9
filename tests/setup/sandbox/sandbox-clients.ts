// Clients of the sandbox for tests, and the operations that exist in that environment only.

import type { Operation } from '../../../src/surfaces/http/operation/operation.ts';
import type { Caller } from '../http/caller.ts';

export function isSandboxOnly({ sandboxOnly }: Pick<Operation, 'sandboxOnly'>): boolean {
  return sandboxOnly === true;
}

/** Few days, long over: quickly made, and with room to advance. */
export const shortLife = { persona: 'young-couple', start_date: '2025-03-03', end_date: '2025-03-05' } as const;

/** Makes a client and returns the answer. */
export async function makeSandboxClient(caller: Caller, body: object = shortLife): Promise<any> {
  const reply = await caller.post('/v1/sandbox/clients', body);
  if (reply.status !== 201) throw new Error(`No client: ${reply.status} ${reply.text}`);
  return reply.body;
}

/** The id of something that was made for a client, by its type and the persona's key of it. */
export function madeId(made: any, type: string, key?: string): string {
  const found = made.records.find((one: any) => one.type === type && (key === undefined || one.key === key));
  if (found === undefined) throw new Error(`Nothing was made: ${type} ${key}`);
  return found.id;
}
