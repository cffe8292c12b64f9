// Answers that are kept for repeated requests, sealed: making them so, opening them, and forgetting those that tell of somebody who
// is to be forgotten. Knows no request.

import type { Work } from './work.ts';

const purpose = 'idempotent-answer';

function contextOf({ store: { reach } }: Work, keyHash: Buffer): string {
  return `${reach.workspaceId}/${reach.environment}/${keyHash.toString('hex')}`;
}

export function sealAnswer(work: Work, keyHash: Buffer, text: string): Buffer {
  return work.house.keyring.seal(purpose, text, contextOf(work, keyHash));
}

export function openAnswer(work: Work, keyHash: Buffer, sealed: Buffer): string {
  return work.house.keyring.open(purpose, sealed, contextOf(work, keyHash)).toString('utf8');
}

/** A request that is repeated is refused from then on: it was answered, and the answer is gone. */
export async function forgetAnswers(work: Work, words: readonly string[]): Promise<void> {
  const { idempotentAnswers } = work.store;
  for (const { keyHash, answerSealed } of await idempotentAnswers.listPersonal()) {
    const text = openAnswer(work, keyHash, answerSealed).toLowerCase();
    if (words.some((word) => text.includes(word.toLowerCase()))) await idempotentAnswers.forget(keyHash);
  }
}
