// Makes a client of its own on the service and runs the checks in it. The client stays there; what it made for the whole workspace it
// deletes again, where nothing refers to it.

import { Api } from './api.ts';
import type { Check, World } from './check.ts';
import { Failed, Skipped } from './outcome.ts';
import { figureChecks } from './checks/figures/figures.ts';
import { operationChecks } from './checks/operations/operations.ts';
import { tokenChecks } from './checks/tokens.ts';
import { wealthChecks } from './checks/wealth.ts';
import { webhookChecks } from './checks/webhooks.ts';
import { wireChecks } from './checks/wire.ts';
import { openWorld, tidyUp, type Target } from './open-world.ts';

/** The checks that are the same everywhere; those of the operations follow from the document of the deployment. */
export const fixedChecks: readonly Check[] = [
  ...tokenChecks,
  ...wireChecks,
  ...wealthChecks,
  ...webhookChecks,
  ...figureChecks,
];

export const areas: readonly string[] = [
  ...new Set(fixedChecks.map(({ area }) => area)),
  'v1',
  'json-api',
  'plain',
  'open',
];

/** How many independent checks run at the same time. */
const lanes = 6;

export interface Result {
  readonly area: string;
  readonly title: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** Why it failed or was skipped. */
  readonly reason?: string;
  readonly figures: Readonly<Record<string, string>>;
  readonly durationMs: number;
}

export interface Report {
  readonly url: string;
  readonly startedAt: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly requests: number;
  readonly results: readonly Result[];
}

export interface Progress {
  readonly done: number;
  readonly total: number;
}

export interface RunOptions {
  /** Only the checks that it accepts. */
  readonly accepts?: (check: Check) => boolean;
  /** Called as each check ends. */
  readonly onResult?: (result: Result, progress: Progress) => void;
}

/** Every answer that a check gets is compared with the document. */
async function runAndCompare({ run, needs = ['read', 'write'] }: Check, world: World) {
  const missing = needs.filter((right) => !world.rights.includes(right));
  if (missing.length > 0) throw new Skipped(`The token does not have the right ${missing.join(' and ')}.`);
  const faults: string[] = [];
  const api = world.api.observedBy((method, path, answer) =>
    faults.push(...world.contract.faults(method, path, answer)),
  );
  const figures = await run({ ...world, api });
  if (faults.length > 0) throw new Failed([...new Set(faults)].slice(0, 5).join('; '));
  return figures ?? {};
}

async function runCheck(check: Check, world: World): Promise<Result> {
  const start = performance.now();
  const { area, title } = check;
  const durationMs = (): number => Math.round(performance.now() - start);
  try {
    const figures = await runAndCompare(check, world);
    return { area, title, outcome: 'passed', figures, durationMs: durationMs() };
  } catch (error) {
    const isSkipped = error instanceof Skipped;
    const message = error instanceof Error ? error.message : String(error);
    const reason = error instanceof Failed || isSkipped ? message : `The check ended with an error: ${message}`;
    return { area, title, outcome: isSkipped ? 'skipped' : 'failed', reason, figures: {}, durationMs: durationMs() };
  }
}

/** Checks that depend on nothing run beside each other, the others one after the other before them. Results keep the order of the checks. */
async function runAll(
  checks: readonly Check[],
  world: World,
  onResult: Required<RunOptions>['onResult'],
): Promise<Result[]> {
  const results = new Map<Check, Result>();
  const runOne = async (check: Check): Promise<void> => {
    const result = await runCheck(check, world);
    results.set(check, result);
    onResult(result, { done: results.size, total: checks.length });
  };
  for (const check of checks.filter((one) => !one.isIndependent)) await runOne(check);
  const rest = checks.filter((one) => one.isIndependent).values();
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (const check of rest) await runOne(check);
    }),
  );
  return checks.flatMap((check) => results.get(check) ?? []);
}

export async function runChecks(
  target: Target,
  { accepts = () => true, onResult = () => {} }: RunOptions = {},
): Promise<Report> {
  const startedAt = new Date().toISOString();
  const api = new Api(target.url);
  const { world, environment } = await openWorld(api, target);
  const derived = operationChecks({ contract: world.contract, records: world.records, environment });
  const checks = [...fixedChecks, ...derived].filter(accepts);
  const results = await runAll(checks, world, onResult);
  await tidyUp(world);
  const count = (outcome: Result['outcome']): number => results.filter((one) => one.outcome === outcome).length;
  return {
    url: api.url,
    startedAt,
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    requests: api.requestCount,
    results,
  };
}
