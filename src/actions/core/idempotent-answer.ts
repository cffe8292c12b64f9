// The stored answers for repeated requests: sealing them, who may get them again, and deleting those that mention an erased person.

import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import { boundClientId, type Right, type VisibleClients } from '../../model/access/scope.ts';
import { client } from '../../model/structure/client.ts';
import { sealContext } from './seal-context.ts';
import type { Work } from './work.ts';

export const idempotentAnswerPurpose = 'idempotent-answer';

function answerContext({ store: { scope } }: Work, keyHash: Buffer): string {
  return sealContext(scope, keyHash.toString('hex'));
}

export function sealAnswer(work: Work, keyHash: Buffer, text: string): Buffer {
  return work.context.keyring.seal(idempotentAnswerPurpose, text, answerContext(work, keyHash));
}

export function openAnswer(work: Work, keyHash: Buffer, sealed: Buffer): string {
  return work.context.keyring.open(idempotentAnswerPurpose, sealed, answerContext(work, keyHash)).toString('utf8');
}

/** The scope of the caller that an answer was made for, and what the request took. */
export interface AnswerReach {
  readonly visibleClients: VisibleClients;
  /** The rights that the request took, beyond that of its operation. */
  readonly rights: readonly Right[];
  /** The clients that it wrote to or that its answer shows. */
  readonly clients: readonly Id[];
  readonly allClients: boolean;
}

/** `shownIds`: ids in the answer that may be those of clients. */
export async function answerReach(work: Work, shownIds: readonly string[]): Promise<AnswerReach> {
  const { needs, store } = work;
  const shownClients = shownIds.length === 0 ? [] : await store.table(client).listVisibleIds(shownIds);
  return {
    visibleClients: store.scope.visibleClients,
    rights: [...needs.rights],
    clients: [...needs.clients.union(new Set(shownClients))],
    allClients: needs.allClients,
  };
}

/** The refusal of a caller who may not see a stored answer: it lacks a right or a client that the request took. */
export async function findMissingReach(work: Work, reach: AnswerReach | undefined): Promise<Refusal | undefined> {
  const seen = work.store.scope.visibleClients;
  const missing = (reach?.rights ?? []).filter((right) => !work.rights.has(right));
  if (missing.length > 0) {
    const detail = `This request requires the rights ${missing.map((right) => `\`${right}\``).join(', ')}, which you do not have.`;
    return new Refusal('right-missing', detail);
  }
  if (seen.kind === 'all' || (reach !== undefined && includesAll(seen, reach.visibleClients))) return undefined;
  const isOpen = reach !== undefined && seen.kind !== 'some' && (await seesClientsOf(work, reach));
  if (isOpen) return undefined;
  const detail = 'The answer to this request shows what is outside your scope. Use a new Idempotency-Key.';
  return new Refusal('outside-reach', detail);
}

async function seesClientsOf(work: Work, { allClients, clients }: AnswerReach): Promise<boolean> {
  if (allClients || clients.length === 0) return false;
  return (await work.store.table(client).listVisibleIds(clients)).length === clients.length;
}

function includesAll(seen: VisibleClients, others: VisibleClients): boolean {
  if (seen.kind !== 'some' || others.kind !== 'some') {
    const ownId = boundClientId(seen);
    return ownId !== null && ownId === boundClientId(others);
  }
  return (
    others.clientIds.every((id) => seen.clientIds.includes(id)) &&
    others.reportingEntityIds.every((id) => seen.reportingEntityIds.includes(id))
  );
}

/** A repeated request is refused from then on, since it was executed but its answer is gone. */
export async function deleteAnswersMentioning(work: Work, terms: readonly string[]): Promise<void> {
  const { idempotentAnswers } = work.store;
  for (const { keyHash, answerSealed } of await idempotentAnswers.listPersonal()) {
    const text = openAnswer(work, keyHash, answerSealed).toLowerCase();
    if (terms.some((term) => text.includes(term.toLowerCase()))) await idempotentAnswers.forget(keyHash);
  }
}
