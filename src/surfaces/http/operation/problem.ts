// Converts any error to a problem with a status, a code and the places at fault.

import { JsonFault } from '../../../kit/json.ts';
import { Refusal, type Fault, type FaultItem } from '../../../kit/refusal.ts';
import type { Resource } from '../../../kit/resource.ts';
import { ModeRefusal, type ModeNotice } from '../../../model/operations/service-mode.ts';
import { declaredCode, refusals, type RefusalCode } from '../../../model/refusals/refusals.ts';

/** A fault with its place, as a wire shows it. */
interface ProblemFault {
  readonly code: RefusalCode;
  readonly detail: string;
  readonly pointer?: string;
  readonly parameter?: string;
  readonly header?: string;
}

export interface Problem {
  readonly status: number;
  readonly code: RefusalCode;
  readonly title: string;
  readonly detail: string;
  readonly faults: readonly ProblemFault[];
  readonly requestId: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The address of the page that explains the code. */
  readonly help: string;
  /** The mode that the operator has set, if that is the reason. */
  readonly notice?: ModeNotice;
}

interface ProblemContext {
  readonly requestId: string;
  readonly baseUrl: string;
  readonly resource: Resource | undefined;
  readonly fieldInPath?: string | undefined;
  pointer(resource: Resource | undefined, field: string, item?: FaultItem): string;
}

function problemFault(fault: Fault, context: ProblemContext): ProblemFault {
  const { code, detail, field, item, pointer, parameter, header } = fault;
  const isInBody = field !== undefined && field !== context.fieldInPath;
  const at = isInBody ? context.pointer(context.resource, field, item) : pointer;
  return {
    code: declaredCode(code),
    detail,
    ...(at === undefined ? {} : { pointer: at }),
    ...(parameter === undefined ? {} : { parameter }),
    ...(header === undefined ? {} : { header }),
  };
}

function refusalHeaders(status: number, refusal: Refusal): Record<string, string> {
  const headers: Record<string, string> = {};
  if (status === 401) headers['www-authenticate'] = 'Bearer error="invalid_token"';
  if (refusal.retryAfterSeconds !== undefined) headers['retry-after'] = String(refusal.retryAfterSeconds);
  return headers;
}

/** Converts errors of the HTTP layer to refusals. Any other error is a defect, whose message is not shown. */
function toRefusal(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  if (error instanceof JsonFault) {
    const at = error.pointer === undefined ? {} : { pointer: error.pointer };
    return new Refusal('malformed-json', error.message, {
      faults: [{ code: 'malformed-json', detail: error.message, ...at }],
    });
  }
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status === 414) return new Refusal('path-not-found', 'There is no such path. Check the URL.');
  if (status === 415) return unreadableType();
  if (status === 413) return new Refusal('body-too-large', 'The body is larger than this path accepts.');
  if (status >= 400 && status < 500) return new Refusal('malformed-request', 'The request is not valid HTTP.');
  return undefined;
}

function unreadableType(): Refusal {
  const detail = 'The Content-Type header is not valid.';
  const fault = { code: 'unsupported-media-type', detail, header: 'Content-Type' };
  return new Refusal('unsupported-media-type', detail, { faults: [fault] });
}

export function isDefect(error: unknown): boolean {
  return toRefusal(error) === undefined;
}

const outageCodes: ReadonlySet<string> = new Set<RefusalCode>([
  'database-away',
  'database-read-only',
  'database-full',
  'records-busy',
]);

/** Whether a refusal is due to the database, and not to the request. Its cause tells the operator why. */
export function isOutage(error: unknown): error is Refusal {
  return error instanceof Refusal && outageCodes.has(error.code);
}

export function toProblem(error: unknown, context: ProblemContext): Problem {
  const refusal =
    toRefusal(error) ?? new Refusal('internal', 'The service has failed. Report the request id to the operator.');
  const code = declaredCode(refusal.code);
  const { status, title } = refusals[code];
  return {
    status,
    code,
    title,
    detail: refusal.message,
    faults: refusal.faults.map((fault) => problemFault(fault, context)),
    requestId: context.requestId,
    headers: refusalHeaders(status, refusal),
    help: `${context.baseUrl}/docs/errors#${code}`,
    ...(refusal instanceof ModeRefusal ? { notice: refusal.notice } : {}),
  };
}
