// Guards what all clients of a workspace share: only a caller that sees all clients may change it, or read what concerns the whole workspace.

import { Refusal } from '../../kit/refusal.ts';
import { lacksAllClients, type Work } from './work.ts';

export function requireAllClients(work: Work): void {
  if (!lacksAllClients(work)) return;
  throw new Refusal('outside-reach', 'A token bound to one client cannot change what all clients share.');
}

export function requireWholeWorkspace(work: Work): void {
  if (!lacksAllClients(work)) return;
  throw new Refusal('outside-reach', 'This concerns the whole workspace; your token is bound to one client.');
}
