// What a check is, and how it says that something is not as it should be.

import type { Api } from './api.ts';

/** What checks work with: the service, and a client of the run's own with everything below it. */
export interface World {
  readonly api: Api;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The client that was made for this run, and records below it. */
  readonly client: string;
  readonly legalEntity: string;
  readonly account: string;
  readonly reportingEntity: string;
  readonly stock: string;
}

export interface Check {
  readonly area: string;
  /** A fact about the contract. */
  readonly title: string;
  /** Throws if it does not hold. May return figures for the report. */
  run(world: World): Promise<Readonly<Record<string, string>> | void>;
}

export type CheckOfArea = Omit<Check, 'area'>;

export function inArea(area: string, checks: readonly CheckOfArea[]): readonly Check[] {
  return checks.map((check) => ({ area, ...check }));
}

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
