// How a check says that something is not as it should be, or that it cannot be made.

export class Failed extends Error {
  override readonly name = 'Failed';
}

/** A check that cannot be made on this deployment. */
export class Skipped extends Error {
  override readonly name = 'Skipped';
}

export function expectEqual(what: string, actual: unknown, expected: unknown): void {
  const [one, other] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (one !== other) throw new Failed(`${what}: expected ${other}, got ${one}`);
}

export function expectTrue(what: string, holds: boolean, shown?: unknown): void {
  if (!holds) throw new Failed(shown === undefined ? what : `${what}: got ${JSON.stringify(shown)}`);
}

/** The same number to this many decimals. */
export function expectNear(what: string, actual: unknown, published: string): void {
  const places = published.split('.')[1]?.length ?? 0;
  const shown = Number(actual).toFixed(places);
  if (shown !== published) throw new Failed(`${what}: published is ${published}, got ${String(actual)}`);
}

/** Collects what is wrong, so that one check says all of it. */
export class Faults {
  readonly #faults: string[] = [];

  add(fault: string): void {
    this.#faults.push(fault);
  }

  expect(what: string, actual: unknown, expected: unknown): void {
    if (actual !== expected)
      this.#faults.push(`${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
  }

  report(): void {
    if (this.#faults.length > 0) throw new Failed(this.#faults.join('; '));
  }
}
