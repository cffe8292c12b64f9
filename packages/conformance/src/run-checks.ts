// Makes a client of its own on the service and runs the checks in it, one after the other. What was made stays there.

import { Api } from './api.ts';
import { Failed, Skipped, type Check, type World } from './check.ts';
import { wealthChecks } from './checks/wealth.ts';
import { wireChecks } from './checks/wire.ts';

export const allChecks: readonly Check[] = [...wireChecks, ...wealthChecks];

export interface Target {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

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

async function makeWorld(api: Api, { clientId, clientSecret }: Target): Promise<World> {
  const name = `Conformance ${new Date().toISOString()}`;
  const client = await api.create('clients', { name, reference_currency: 'CHF' });
  const legalEntity = await api.create('legal-entities', { client_id: client, name });
  const account = await api.create('accounts', { entity_id: legalEntity, name: 'Cash', currency: 'CHF' });
  const reportingEntity = await api.create('reporting-entities', { client_id: client, name: 'All' });
  const stock = await api.create('instruments', { type: 'stock-instrument', name: 'Conformance AG', currency: 'CHF' });
  return { api, clientId, clientSecret, client, legalEntity, account, reportingEntity, stock };
}

async function runCheck({ area, title, run }: Check, world: World): Promise<Result> {
  const start = performance.now();
  const durationMs = (): number => Math.round(performance.now() - start);
  try {
    const figures = (await run(world)) ?? {};
    return { area, title, outcome: 'passed', figures, durationMs: durationMs() };
  } catch (error) {
    const isSkipped = error instanceof Skipped;
    const message = error instanceof Error ? error.message : String(error);
    const reason = error instanceof Failed || isSkipped ? message : `The check ended with an error: ${message}`;
    return { area, title, outcome: isSkipped ? 'skipped' : 'failed', reason, figures: {}, durationMs: durationMs() };
  }
}

/** `onResult` is called as each check ends. */
export async function runChecks(
  target: Target,
  checks: readonly Check[] = allChecks,
  onResult: (result: Result) => void = () => {},
): Promise<Report> {
  const startedAt = new Date().toISOString();
  const api = new Api(target.url);
  api.token = await api.tokenFor(target.clientId, target.clientSecret);
  const world = await makeWorld(api, target);
  const results: Result[] = [];
  for (const check of checks) {
    const result = await runCheck(check, world);
    results.push(result);
    onResult(result);
  }
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
