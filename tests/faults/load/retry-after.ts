// Reads the header `Retry-After`, which the service sends in seconds.

export function parseRetryAfter(header: string | null): number {
  const seconds = Number(header ?? '');
  return header !== null && Number.isFinite(seconds) ? seconds * 1_000 : 0;
}
