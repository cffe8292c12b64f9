// Idempotency-Key: a write that is sent twice happens once, and its answer is repeated. Answers are kept for 24 hours, encrypted,
// for the same caller. Requests that are refused before the work begins, and failures of the service, are not kept.

import { createHash } from 'node:crypto';
import { dayMs } from '../../kit/clock.ts';
import { Refusal } from '../../kit/refusal.ts';
import { refusals, type RefusalCode } from '../../model/refusals/refusals.ts';
import { openAnswer, sealAnswer } from '../../actions/core/idempotent-answer.ts';
import type { Work } from '../../actions/core/work.ts';
import { administrator } from '../../model/people/administrator.ts';
import { invite } from '../../model/people/invite.ts';
import { user } from '../../model/people/user.ts';
import type { StoredAnswer } from '../../store/access/idempotent-answers.ts';
import { isDryRun } from '../http/bulk/bulk-mode.ts';
import { isIdempotent, type OperationCall, type UnreadRequest } from '../http/operation/operation.ts';
import type { RenderedResponse } from '../http/operation/rendered-response.ts';
import { RequestInProgress } from '../http/operation/request-in-progress.ts';

const idempotencyKeyBytesMax = 255;

/** The groups of operations whose answers contain personal data. */
const personalGroups: ReadonlySet<string> = new Set([user.plural, invite.plural, administrator.plural]);

function readKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const bytes = typeof header === 'string' ? Buffer.byteLength(header, 'latin1') : 0;
  if (bytes >= 1 && bytes <= idempotencyKeyBytesMax) return header as string;
  const detail = `Send one Idempotency-Key of 1 to ${idempotencyKeyBytesMax} bytes.`;
  throw new Refusal('invalid-idempotency-key', detail, {
    faults: [{ code: 'invalid-idempotency-key', detail, header: 'Idempotency-Key' }],
  });
}

export async function answerIdempotently(call: OperationCall): Promise<RenderedResponse> {
  const { request, operation, proceed } = call;
  const key = readKey(request.headers['idempotency-key']);
  if (key === undefined || (operation.bulk !== undefined && isDryRun(request))) return proceed();
  const { work } = request;
  const keyHash = hashKey(key);
  const claim = {
    keyHash,
    caller: callerKey(work),
    requestHash: request.digest(),
    now: work.now,
    expiresAt: work.now + dayMs,
    isPersonal: personalGroups.has(operation.group),
  };
  const stored = await work.store.idempotentAnswers.claim(claim);
  if (stored === 'in-progress') throw new RequestInProgress('Another node is performing this request.');
  if (stored !== undefined) return replay(work, stored, claim);
  const put = async (answer: RenderedResponse): Promise<RenderedResponse> => {
    await work.store.idempotentAnswers.put(keyHash, sealAnswer(work, keyHash, JSON.stringify(answer)));
    return answer;
  };
  // The answer is put within the attempt: what is still enqueued goes with it and may be refused.
  let isRefused = false;
  const refuse = (error: unknown): RenderedResponse => {
    const answer = storableRefusal(call, error);
    isRefused = true;
    return answer;
  };
  const rendered = await work.store.attempt(async () => put(await proceed()), refuse);
  return isRefused ? put(rendered) : rendered;
}

/** Looks up the key of a request whose body cannot be read: another body under a used key is a conflict before it is at fault. */
export async function findEarlierAnswer(request: UnreadRequest): Promise<RenderedResponse | undefined> {
  const { operation, headers, work } = request;
  const key = isIdempotent(operation) ? readKey(headers['idempotency-key']) : undefined;
  if (key === undefined) return undefined;
  const keyHash = hashKey(key);
  const stored = await work.store.idempotentAnswers.find(keyHash, work.now);
  if (stored === undefined) return undefined;
  return replay(work, stored, { keyHash, caller: callerKey(work), requestHash: request.digest() });
}

function hashKey(key: string): Buffer {
  return createHash('sha256').update(key, 'latin1').digest();
}

function callerKey({ store, subject }: Work): string {
  return `${store.scope.credentialId ?? ''}/${subject ?? ''}`;
}

/** Keeps refusals by rules like any answer. Failures of the service are thrown on, so that the request can be repeated. */
function storableRefusal({ refuse }: OperationCall, error: unknown): RenderedResponse {
  if (!(error instanceof Refusal) || refusals[error.code as RefusalCode].status >= 500) throw error;
  return refuse(error);
}

function replay(
  work: Work,
  stored: StoredAnswer,
  claimed: { caller: string; requestHash: Buffer; keyHash: Buffer },
): RenderedResponse {
  if (
    stored.caller !== claimed.caller ||
    !stored.requestHash.equals(claimed.requestHash) ||
    stored.answerSealed === null
  ) {
    work.context.figures.add('answer-keys-reused');
    throw new Refusal(
      'idempotency-key-reused',
      'This Idempotency-Key was used with another request or by another caller. Use a new one.',
    );
  }
  work.context.figures.add('answers-replayed');
  const text = openAnswer(work, claimed.keyHash, stored.answerSealed);
  const { status, headers, text: body } = JSON.parse(text) as RenderedResponse;
  return { status, headers: { ...headers, 'idempotent-replayed': 'true' }, text: body };
}
