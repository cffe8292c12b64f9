// Idempotency-Key: a write that is sent twice happens once, and its answer is repeated with its status, headers and body. Answers are kept
// for 24 hours per workspace, environment and key, encrypted, and replayed to every caller of the workspace whom the same request is open to.
// Refusals of a request are kept too; 429 and failures of the service are not.

import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { dayMs } from '../../kit/clock.ts';
import { JsonFault } from '../../kit/json.ts';
import { Refusal } from '../../kit/refusal.ts';
import { refusals, type RefusalCode } from '../../model/refusals/refusals.ts';
import {
  answerReach,
  findMissingReach,
  openAnswer,
  sealAnswer,
  type AnswerReach,
} from '../../actions/core/idempotent-answer.ts';
import type { Work } from '../../actions/core/work.ts';
import { administrator } from '../../model/people/administrator.ts';
import { invite } from '../../model/people/invite.ts';
import { user } from '../../model/people/user.ts';
import { client } from '../../model/structure/client.ts';
import type { StoredAnswer } from '../../store/access/idempotent-answers.ts';
import { isDryRun, isDryRunAddress } from '../http/bulk/bulk-mode.ts';
import { isIdempotent, type Operation, type OperationCall, type UnreadRequest } from '../http/operation/operation.ts';
import type { RenderedResponse } from '../http/operation/rendered-response.ts';
import { RequestInProgress } from '../http/operation/request-in-progress.ts';

const idempotencyKeyBytesMax = 255;

/** The groups of operations whose answers contain personal data. */
const personalGroups: ReadonlySet<string> = new Set([user.plural, invite.plural, administrator.plural]);
/** The groups of operations whose answers may name clients that the request did not write to. */
const namingGroups: ReadonlySet<string> = new Set([client.plural, ...personalGroups]);

/** The statuses of faults of a request that use its key up. */
const faultStatuses: ReadonlySet<number> = new Set([400, 409, 422]);

/** A stored answer. Releases up to 0.3 stored no reach. */
interface ReplayableAnswer extends RenderedResponse {
  readonly reach?: AnswerReach;
}

/** What one request claims its key with. */
interface KeyedRequest {
  readonly keyHash: Buffer;
  readonly caller: string;
  readonly requestHash: Buffer;
  readonly operation: Operation;
}

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
  const { request, operation, proceed, refuse } = call;
  const { work } = request;
  const key = readKey(request.headers['idempotency-key']);
  if (key === undefined || (operation.bulk !== undefined && isDryRun(request))) return proceed();
  const keyed = keyedRequest(work, { key, operation, requestHash: request.digest() });
  const earlier = await claim(work, keyed);
  if (earlier !== undefined) return earlier;
  // The answer is put within the attempt: what is still enqueued goes with it and may be refused.
  let isRefused = false;
  const refuseAttempt = (error: unknown): RenderedResponse => {
    if (!isStorableRefusal(error)) throw error;
    isRefused = true;
    return refuse(error);
  };
  const rendered = await work.store.attempt(async () => put(work, keyed, await proceed()), refuseAttempt);
  return isRefused ? put(work, keyed, rendered) : rendered;
}

/** Repeats the answer to a request that was made before, without claiming its key. */
export async function findStoredAnswer({
  request,
  operation,
}: Pick<OperationCall, 'request' | 'operation'>): Promise<RenderedResponse | undefined> {
  const { work } = request;
  const key = isIdempotent(operation) ? readKey(request.headers['idempotency-key']) : undefined;
  if (key === undefined || (operation.bulk !== undefined && isDryRun(request))) return undefined;
  const stored = await work.store.idempotentAnswers.find(hashKey(key), work.now);
  return stored && replay(work, stored, keyedRequest(work, { key, operation, requestHash: request.digest() }));
}

/**
 * Answers a request whose query or body cannot be read. Another request under a used key is a conflict before it is at fault, and a fault of
 * the body uses the key up as well.
 */
export async function answerUnread(request: UnreadRequest): Promise<RenderedResponse> {
  const { operation, headers, address, error, digest, readWork, write, refuse } = request;
  const key = isIdempotent(operation) ? readKey(headers['idempotency-key']) : undefined;
  if (key === undefined || (operation.bulk !== undefined && isDryRunAddress(address))) throw error;
  if (isFaultOfBody(error)) {
    const requestHash = digest();
    return write(async (work) => {
      const keyed = keyedRequest(work, { key, operation, requestHash });
      return (await claim(work, keyed)) ?? put(work, keyed, refuse(error));
    });
  }
  const stored = await readWork.store.idempotentAnswers.find(hashKey(key), readWork.now);
  if (stored === undefined) throw error;
  const keyed = keyedRequest(readWork, { key, operation, requestHash: digest() });
  const earlier = await replay(readWork, stored, keyed);
  if (earlier === undefined) throw error;
  return earlier;
}

/** Whether an earlier request with the same key was answered. */
export async function knowsAnswer({ store, now }: Work, headers: IncomingHttpHeaders): Promise<boolean> {
  const key = readKey(headers['idempotency-key']);
  return key !== undefined && (await store.idempotentAnswers.find(hashKey(key), now)) !== undefined;
}

function keyedRequest(
  work: Work,
  { key, operation, requestHash }: { key: string; operation: Operation; requestHash: Buffer },
): KeyedRequest {
  const { store, subject } = work;
  return {
    keyHash: hashKey(key),
    caller: `${store.scope.credentialId ?? ''}/${subject ?? ''}`,
    requestHash,
    operation,
  };
}

function hashKey(key: string): Buffer {
  return createHash('sha256').update(key, 'latin1').digest();
}

/** Claims the key until the transaction ends, or returns the answer to repeat. */
async function claim(work: Work, keyed: KeyedRequest): Promise<RenderedResponse | undefined> {
  const { keyHash, caller, requestHash, operation } = keyed;
  const stored = await work.store.idempotentAnswers.claim({
    keyHash,
    caller,
    requestHash,
    now: work.now,
    expiresAt: work.now + dayMs,
    isPersonal: personalGroups.has(operation.group),
  });
  if (stored === 'in-progress') throw new RequestInProgress('Another node is performing this request.');
  return stored === undefined ? undefined : replay(work, stored, keyed);
}

/** Stores the answer whole, with the id of the request that it answers. */
async function put(work: Work, keyed: KeyedRequest, answer: RenderedResponse): Promise<RenderedResponse> {
  const { keyHash, caller, operation } = keyed;
  const { requestId } = work;
  const headers = requestId === null ? answer.headers : { ...answer.headers, 'x-request-id': requestId };
  const ids = namingGroups.has(operation.group) ? (answer.text?.match(/\b[0-9a-f]{24}\b/g) ?? []) : [];
  const kept: ReplayableAnswer = { ...answer, headers, reach: await answerReach(work, [...new Set(ids)]) };
  const answerSealed = sealAnswer(work, keyHash, JSON.stringify(kept));
  await work.store.idempotentAnswers.put(keyHash, { answerSealed, caller });
  return answer;
}

/** Keeps refusals by rules like any answer. Missing access, 429 and failures are thrown on: the request can be repeated. */
function isStorableRefusal(error: unknown): error is Refusal {
  if (!(error instanceof Refusal)) return false;
  const { status } = refusals[error.code as RefusalCode];
  return status < 500 && status !== 403 && status !== 429;
}

function isFaultOfBody(error: unknown): boolean {
  if (error instanceof JsonFault) return true;
  return error instanceof Refusal && faultStatuses.has(refusals[error.code as RefusalCode].status);
}

/**
 * The stored answer, if it is one of the same request and open to the caller. Undefined if the request is to be performed: an earlier one has
 * changed nothing, and this caller may see what the earlier one did not.
 */
async function replay(work: Work, stored: StoredAnswer, keyed: KeyedRequest): Promise<RenderedResponse | undefined> {
  if (!stored.requestHash.equals(keyed.requestHash) || stored.answerSealed === null) {
    work.context.figures.add('answer-keys-reused');
    throw new Refusal('idempotency-key-reused', 'This Idempotency-Key was used with another request. Use a new one.');
  }
  const text = openAnswer(work, keyed.keyHash, stored.answerSealed);
  const { reach, ...answer } = JSON.parse(text) as ReplayableAnswer;
  const isOtherCaller = stored.caller !== keyed.caller;
  const closed = reach === undefined && !isOtherCaller ? undefined : await findMissingReach(work, reach);
  const isRefused = answer.status >= 400;
  if (isRefused && (closed !== undefined || (isOtherCaller && answer.status === 404))) return undefined;
  if (closed !== undefined) throw closed;
  work.context.figures.add('answers-replayed');
  return { ...answer, headers: { ...answer.headers, 'idempotent-replayed': 'true' } };
}
