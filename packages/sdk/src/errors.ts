// The errors that calls end with: one class for each kind of answer, and those of requests that got none.

import type { ErrorCode } from './generated/error-codes.ts';

/** A fault in the request, with its place: a JSON pointer into the body, a query parameter or a header. */
export interface Fault {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly pointer?: string;
  readonly parameter?: string;
  readonly header?: string;
}

interface Problem {
  readonly type?: string;
  readonly title?: string;
  readonly detail?: string;
  readonly code?: string;
  readonly request_id?: string;
  readonly errors?: readonly Fault[];
}

export interface ErrorDetails {
  readonly status: number;
  readonly code: ErrorCode;
  readonly title: string;
  readonly detail: string;
  readonly faults: readonly Fault[];
  readonly requestId: string | undefined;
  readonly help: string | undefined;
  readonly retryAfterMs: number | undefined;
}

/** As many faults as a line of a log has place for. */
const messageFaultsMax = 3;

/** The detail, and of several faults the first: a log often has the message alone. */
function messageText({ detail, faults }: ErrorDetails): string {
  if (faults.length < 2) return detail;
  const places = faults
    .slice(0, messageFaultsMax)
    .map((fault) => `${fault.pointer ?? fault.parameter ?? fault.header ?? fault.code}: ${fault.detail}`);
  return [detail, ...places].join(' ');
}

/** A call that failed. `code` says why in a word that programs can rely on. */
export class HoldfastError extends Error {
  /** The HTTP status; 0 if there was no answer. */
  readonly status: number;
  readonly code: ErrorCode;
  readonly title: string;
  /** What happened and what to do, for people. */
  readonly detail: string;
  readonly faults: readonly Fault[];
  /** Names the request in the logs of the service. */
  readonly requestId: string | undefined;
  /** The address of the page that explains the code. */
  readonly help: string | undefined;
  /** How long the service asks to wait. */
  readonly retryAfterMs: number | undefined;

  constructor(details: ErrorDetails, options?: ErrorOptions) {
    super(messageText(details), options);
    this.name = new.target.name;
    this.status = details.status;
    this.code = details.code;
    this.title = details.title;
    this.detail = details.detail;
    this.faults = details.faults;
    this.requestId = details.requestId;
    this.help = details.help;
    this.retryAfterMs = details.retryAfterMs;
  }

  /** The place of the first fault in the body, as a JSON pointer. */
  get pointer(): string | undefined {
    return this.faults.find(({ pointer }) => pointer !== undefined)?.pointer;
  }

  is(...codes: readonly ErrorCode[]): boolean {
    return codes.includes(this.code);
  }
}

/** 400: the request cannot be read, or a query parameter is wrong. */
export class BadRequest extends HoldfastError {}
/** 401: no valid token, after one attempt with a new one. */
export class Unauthorized extends HoldfastError {}
/** 403: the token lacks a right. */
export class Forbidden extends HoldfastError {}
/** 404: the record does not exist, or the token cannot see it. */
export class NotFound extends HoldfastError {}
/** 409: the request contradicts what there is. */
export class Conflict extends HoldfastError {}
/** 410: it is over for good, such as an expired invite. */
export class Gone extends HoldfastError {}
/** 412: the record has changed since it was read (`ifMatch`). */
export class PreconditionFailed extends HoldfastError {}
/** 413: the body is too large. */
export class BodyTooLarge extends HoldfastError {}
/** 422: a rule is not met; `faults` say where. */
export class Unprocessable extends HoldfastError {}
/** 429: the budget is used up, also after the retries. */
export class RateLimited extends HoldfastError {}
/** 5xx: the service failed or is away, also after the retries. */
export class ServiceFailed extends HoldfastError {}
/** There was no answer: the network failed, or the time was up. */
export class NoAnswer extends HoldfastError {}

const classes: Readonly<Record<number, typeof HoldfastError>> = {
  400: BadRequest,
  401: Unauthorized,
  403: Forbidden,
  404: NotFound,
  409: Conflict,
  410: Gone,
  412: PreconditionFailed,
  413: BodyTooLarge,
  422: Unprocessable,
  429: RateLimited,
};

const textMax = 300;

/** Makes the error of an answer: a problem, or what another server on the way has said. */
export function errorOf(status: number, headers: Headers, text: string): HoldfastError {
  const { type, title, detail, code, request_id: id, errors } = readProblem(text);
  const ErrorClass = classes[status] ?? (status >= 500 ? ServiceFailed : HoldfastError);
  return new ErrorClass({
    status,
    code: code ?? `http-${status}`,
    title: title ?? `Status ${status}`,
    detail: detail ?? (text.trim().slice(0, textMax) || `The answer has the status ${status} and no body.`),
    faults: errors ?? [],
    requestId: id ?? headers.get('x-request-id') ?? undefined,
    help: type,
    retryAfterMs: readRetryAfter(headers.get('retry-after')),
  });
}

/** A refused token request has the form of OAuth. */
interface OauthProblem {
  readonly error?: string;
  readonly error_description?: string;
}

function readProblem(text: string): Problem {
  try {
    const body: (Problem & OauthProblem) | null = JSON.parse(text);
    if (typeof body !== 'object' || body === null) return {};
    if (typeof body.error !== 'string') return body;
    return { code: body.error, title: 'No token', detail: body.error_description ?? body.error };
  } catch {
    return {};
  }
}

function readRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

export function noAnswer(code: 'network-failed' | 'timed-out', detail: string, cause: unknown): NoAnswer {
  const nothing = { status: 0, faults: [], requestId: undefined, help: undefined, retryAfterMs: undefined };
  return new NoAnswer({ ...nothing, code, title: 'No answer', detail }, { cause });
}
