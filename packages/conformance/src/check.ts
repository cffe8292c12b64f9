// What a check is, and what it works with.

import type { Api } from './api.ts';
import type { Contract, Right } from './contract/contract.ts';
import type { Records } from './contract/records.ts';
import type { Receiver } from './receiver.ts';

/** What checks work with: the service, and a client of the run's own with everything below it. */
export interface World {
  readonly api: Api;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly contract: Contract;
  /** Records like those of the document's examples. */
  readonly records: Records;
  readonly rights: readonly Right[];
  /** Whether the run makes records of its own. */
  readonly mayWrite: boolean;
  /** The client that was made for this run, and records below it; empty if the run makes none. */
  readonly client: string;
  readonly legalEntity: string;
  readonly account: string;
  readonly reportingEntity: string;
  /** Where deliveries of webhooks can be received, if anywhere. */
  readonly receiver: Pick<Receiver, 'url' | 'find'> | undefined;
  /** A token with every right but this one, if the run can make one. */
  tokenWithout(right: Right): string | undefined;
  /** A token that is bound to another client, if the run can make one. */
  tokenOfAnother(): Promise<string | undefined>;
  /** An Idempotency-Key that was used before. */
  usedKey(): Promise<string>;
}

export interface Check {
  readonly area: string;
  /** A fact about the contract. */
  readonly title: string;
  /** The rights without which it is skipped: `read` and `write` if it does not say. */
  readonly needs?: readonly Right[];
  /** Whether it may run beside others of its kind. */
  readonly isIndependent?: boolean;
  /** Throws if it does not hold. May return figures for the report. */
  run(world: World): Promise<Readonly<Record<string, string>> | void>;
}

export type CheckOfArea = Omit<Check, 'area'>;

export function inArea(area: string, checks: readonly CheckOfArea[]): readonly Check[] {
  return checks.map((check) => ({ area, ...check }));
}
