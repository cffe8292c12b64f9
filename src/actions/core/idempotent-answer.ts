// Seals and opens the stored answers for repeated requests, and deletes those that mention an erased person.

import { sealContext } from './seal-context.ts';
import type { Work } from './work.ts';

const purpose = 'idempotent-answer';

function answerContext({ store: { scope } }: Work, keyHash: Buffer): string {
  return sealContext(scope, keyHash.toString('hex'));
}

export function sealAnswer(work: Work, keyHash: Buffer, text: string): Buffer {
  return work.context.keyring.seal(purpose, text, answerContext(work, keyHash));
}

export function openAnswer(work: Work, keyHash: Buffer, sealed: Buffer): string {
  return work.context.keyring.open(purpose, sealed, answerContext(work, keyHash)).toString('utf8');
}

/** A repeated request is refused from then on, since it was executed but its answer is gone. */
export async function deleteAnswersMentioning(work: Work, terms: readonly string[]): Promise<void> {
  const { idempotentAnswers } = work.store;
  for (const { keyHash, answerSealed } of await idempotentAnswers.listPersonal()) {
    const text = openAnswer(work, keyHash, answerSealed).toLowerCase();
    if (terms.some((term) => text.includes(term.toLowerCase()))) await idempotentAnswers.forget(keyHash);
  }
}
