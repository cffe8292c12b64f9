// What is shipped out of the house, and where to: the logs, the kinds of destinations that an operator can set, and the lines on their way.

export const shippedLogs = ['audit', 'requests'] as const;
export type ShippedLog = (typeof shippedLogs)[number];

/** An operator sets at most one of each kind. Positions are kept by these names: another address goes on where the one before stopped. */
export const shippingDestinations = ['https', 'file', 'syslog', 'otlp'] as const;
export type ShippingDestination = (typeof shippingDestinations)[number];

/** What a node ships; both lists are empty where nothing is. */
export interface LogShipping {
  readonly logs: readonly ShippedLog[];
  readonly destinations: readonly ShippingDestination[];
}

/** A line as it leaves. */
export interface ShippedLine {
  readonly log: ShippedLog;
  readonly workspaceId: string;
  readonly environment: string;
  /** In its log, within the environment; without gaps. */
  readonly number: number;
  /** When it happened. */
  readonly at: number;
  /** JSON on one line, without the line break. */
  readonly text: string;
}

/** What a destination has made of a batch. */
export type ShippingOutcome =
  /** It has taken this many lines from the beginning of the batch; at least one. */
  | { readonly kind: 'acknowledged'; readonly count: number }
  /** It may have taken some: all of them are sent again. `retryAfterMs` is what it asks for. */
  | { readonly kind: 'failed'; readonly detail: string; readonly retryAfterMs: number | null }
  /** This node stops. */
  | { readonly kind: 'stopped' };

export interface LogDestination {
  readonly name: ShippingDestination;
  /** Never throws. Resolves within a bounded time. */
  ship(lines: readonly ShippedLine[], signal: AbortSignal): Promise<ShippingOutcome>;
  close(): Promise<void>;
}
