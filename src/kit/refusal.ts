// Refusals: a code, a sentence for the caller, and the places at fault. Surfaces add the status and the form.

/** The position of an item of a field, from zero, or the name of one of its members; several steps lead to an inner one. */
export type FaultItem = number | string | readonly (number | string)[];

/** One fault of a request. At most one of the places is set. */
export interface Fault {
  readonly code: string;
  readonly detail: string;
  /** The declared name of a field; each wire converts it to its own pointer. */
  readonly field?: string;
  readonly item?: FaultItem;
  /** A JSON pointer into the body as it was sent. */
  readonly pointer?: string;
  /** The name of a query or path parameter. */
  readonly parameter?: string;
  /** The name of a header. */
  readonly header?: string;
}

/** How many faults one answer lists. Reading stops after more: a small body can have very many. */
export const faultsListedMax = 100;

interface RefusalOptions {
  readonly faults?: readonly Fault[];
  /** After how many seconds the request may succeed. */
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/** Thrown when a request cannot be fulfilled for a reason that the caller may know. Any other error is a defect. */
export class Refusal extends Error {
  readonly code: string;
  readonly faults: readonly Fault[];
  readonly retryAfterSeconds: number | undefined;

  constructor(code: string, detail: string, options: RefusalOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Refusal';
    this.code = code;
    this.faults = options.faults ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** A refusal that does not list all faults. */
class CutRefusal extends Refusal {}

export function isCut(refusal: Refusal): boolean {
  return refusal instanceof CutRefusal;
}

/**
 * Makes one refusal of the faults of a request, which lists at most the first. `and-more`: how many others there are is not known, because
 * nobody looked for them.
 */
export function refusalForFaults(code: string, faults: readonly Fault[], found: 'all' | 'and-more' = 'all'): Refusal {
  if (found === 'and-more' || faults.length > faultsListedMax) return cutRefusal(code, faults);
  const first = faults[0];
  const detail = faults.length === 1 && first ? first.detail : `The request has ${faults.length} faults.`;
  return new Refusal(code, detail, { faults });
}

function cutRefusal(code: string, faults: readonly Fault[]): Refusal {
  const listed = faults.slice(0, faultsListedMax);
  const detail = `The request has more than ${listed.length} faults; the first ${listed.length} are listed.`;
  return new CutRefusal(code, detail, { faults: listed });
}
