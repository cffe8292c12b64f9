// How the service says no: a code, a sentence, and the places at fault. Knows neither statuses nor wires.

/** One thing wrong with what was asked. At most one of the places is set. */
export interface Fault {
  readonly code: string;
  readonly detail: string;
  /** The declared name of a field; a wire turns it into its own pointer. */
  readonly field?: string;
  /** Which one of the field's items, counted from zero, or the declared name of one of its members. */
  readonly item?: number | string;
  /** A JSON pointer into the body as it was sent. */
  readonly pointer?: string;
  /** The name of a query or path parameter. */
  readonly parameter?: string;
  /** The name of a header. */
  readonly header?: string;
}

export interface RefusalOptions {
  readonly faults?: readonly Fault[];
  /** When it may be worth asking again. */
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/** Thrown wherever a request cannot be met for a reason the caller may know. Anything else thrown is a defect. */
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

/** One or more faults of the same request, as one refusal. */
export function refusalForFaults(code: string, faults: readonly Fault[]): Refusal {
  const first = faults[0];
  const detail = faults.length === 1 && first ? first.detail : `${faults.length} things are wrong with this request.`;
  return new Refusal(code, detail, { faults });
}
