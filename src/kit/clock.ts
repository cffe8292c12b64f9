// The source of time. All code that needs the current time takes a Clock, so that tests can set it.

export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

export const secondMs = 1_000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** What another node has stored may lie this far ahead of a node's clock. What lies further ahead was written before a clock was set back. */
export const clockSkewMsMax = 10 * secondMs;
