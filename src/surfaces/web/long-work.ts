// Work that a form starts and that may take longer than a browser should wait: the form answers after a moment, the work goes on, and
// the page shows that it does, or why it failed. What it has done is in the database; a node knows only of the work that it does itself.

import { setTimeout as delay } from 'node:timers/promises';
import type { PersonAccess } from '../../model/access/person-access.ts';
import type { ApiProblem, Sent } from './page-api.ts';

/** Problems of one workspace that nobody has read yet; the oldest go first. */
const problemsMax = 100;

type Tenant = Pick<PersonAccess, 'workspaceId' | 'environment'>;

interface TenantWork {
  readonly running: Map<string, number>;
  readonly problems: Map<string, ApiProblem>;
}

/** The long work of a service, by workspace and environment. */
export class LongWork {
  readonly #waitMs: number;
  readonly #tenants = new Map<string, TenantWork>();

  /** @param waitMs how long a form waits for its work. */
  constructor(waitMs = 2_000) {
    this.#waitMs = waitMs;
  }

  /** When the work under this key began, if it has not ended. */
  runningSince(tenant: Tenant, key: string): number | undefined {
    return this.#find(tenant)?.running.get(key);
  }

  /** Why work failed that nobody waited for any more; it is told once. */
  takeProblem(tenant: Tenant, key: string): ApiProblem | undefined {
    const work = this.#find(tenant);
    const problem = work?.problems.get(key);
    work?.problems.delete(key);
    this.#forgetIfEmpty(tenant);
    return problem;
  }

  /** The result, or undefined if it is not there yet. */
  async wait(tenant: Tenant, key: string, work: Promise<Sent>, now: number): Promise<Sent | undefined> {
    const { running } = this.#open(tenant);
    running.set(key, now);
    let isAwaited = true;
    const ended = work.finally(() => running.delete(key));
    // An error was logged where it happened.
    ended
      .then((sent) => {
        if (!sent.ok && !isAwaited) keepProblem(this.#open(tenant).problems, key, sent.problem);
      })
      .catch(() => {})
      .finally(() => this.#forgetIfEmpty(tenant));
    const abort = new AbortController();
    try {
      return await Promise.race([ended, delay(this.#waitMs, undefined, { signal: abort.signal, ref: false })]);
    } finally {
      isAwaited = false;
      abort.abort();
    }
  }

  #find(tenant: Tenant): TenantWork | undefined {
    return this.#tenants.get(tenantKey(tenant));
  }

  #open(tenant: Tenant): TenantWork {
    const known = this.#find(tenant);
    if (known !== undefined) return known;
    const opened = { running: new Map<string, number>(), problems: new Map<string, ApiProblem>() };
    this.#tenants.set(tenantKey(tenant), opened);
    return opened;
  }

  #forgetIfEmpty(tenant: Tenant): void {
    const work = this.#find(tenant);
    if (work?.running.size === 0 && work.problems.size === 0) this.#tenants.delete(tenantKey(tenant));
  }
}

const tenantKey = ({ workspaceId, environment }: Tenant): string => `${workspaceId}/${environment}`;

function keepProblem(problems: Map<string, ApiProblem>, key: string, problem: ApiProblem): void {
  problems.set(key, problem);
  for (const oldest of problems.keys()) {
    if (problems.size <= problemsMax) return;
    problems.delete(oldest);
  }
}
