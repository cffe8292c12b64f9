// What a node tells Prometheus: all metrics of its requests, its background work, its threads, the queues and the process.

import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { AppContext } from '../../actions/core/context.ts';
import { secondMs, type Clock } from '../../kit/clock.ts';
import { withDeadline } from '../../kit/concurrency/deadline.ts';
import { readyStates, writeStates, type ReadinessReport } from '../../actions/core/readiness.ts';
import type { Config } from '../config.ts';
import type { Release } from '../release.ts';
import { compress, type Encoding } from '../../surfaces/http/negotiation/content-encoding.ts';
import type { WrittenMetrics } from '../../surfaces/http/pipeline/health.ts';
import { DoorMetrics, type Doors } from './door-metrics.ts';
import { JobMetrics } from './job-metrics.ts';
import { KeyMetrics } from './key-metrics.ts';
import { NodeMetrics } from './node-metrics.ts';
import { ArchiveMetrics } from './archive-metrics.ts';
import { QueueMetrics } from './queue-metrics.ts';
import { ReplicaMetrics } from './replica-metrics.ts';
import { RequestMetrics } from './request-metrics.ts';
import { ServerMetrics } from './server-metrics.ts';
import { ShippingMetrics } from './shipping-metrics.ts';
import { WorkspaceMetrics } from './workspace-metrics.ts';

/** Gauges whose names say that they are counters; each has a form by type beside it. */
const misnamedMetrics = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

/** Longer than readiness waits for the database: only a node that starts takes as long. */
const readinessMs = 5 * secondMs;

/** How often it is checked at most, however often the metrics are asked for. */
const readinessIntervalMs = 5 * secondMs;

/** How long all who ask for the metrics get the same text. Writing it takes the event loop some milliseconds. */
export const metricsSharedMs = 5 * secondMs;

interface MetricsParts {
  readonly context: AppContext;
  readonly release: Release;
  readonly config: Pick<Config, 'workspaceMetrics'>;
  /** For tests, which look at once whether a metric has moved. */
  readonly sharedMs?: number | undefined;
}

export class Metrics {
  readonly #registry = new Registry();
  readonly requests: RequestMetrics;
  readonly jobs: JobMetrics;
  readonly node: NodeMetrics;
  readonly shipping: ShippingMetrics;
  readonly workspaces: WorkspaceMetrics;
  readonly #doors: DoorMetrics;
  readonly #queues: QueueMetrics;
  readonly #replica: ReplicaMetrics;
  readonly #servers: ServerMetrics;
  readonly #keys: KeyMetrics;
  readonly #archive: ArchiveMetrics;
  readonly #ready: Gauge<'state'>;
  readonly #writesPossible: Gauge;
  readonly #writesState: Gauge<'state'>;
  readonly #clock: Clock;
  #checkReady: (() => Promise<ReadinessReport>) | undefined;
  #readyCheckedAt = -Infinity;
  readonly #sharedMs: number;
  #writing: Promise<Required<WrittenMetrics>> | undefined;
  #written: Required<WrittenMetrics> | undefined;
  #writtenAt = -Infinity;

  constructor({ context, release, config, sharedMs = metricsSharedMs }: MetricsParts) {
    this.#sharedMs = sharedMs;
    const registers = [this.#registry];
    this.#clock = context.clock;
    collectDefaultMetrics({ register: this.#registry });
    for (const name of misnamedMetrics) this.#registry.removeSingleMetric(name);
    this.requests = new RequestMetrics(this.#registry);
    this.jobs = new JobMetrics(this.#registry);
    this.#doors = new DoorMetrics(this.#registry);
    this.node = new NodeMetrics(this.#registry);
    this.node.addThread('main', context.figures);
    this.workspaces = new WorkspaceMetrics(this.#registry, context, config.workspaceMetrics);
    this.#queues = new QueueMetrics(this.#registry, context);
    this.shipping = new ShippingMetrics(this.#registry, context);
    this.#replica = new ReplicaMetrics(this.#registry, context);
    this.#servers = new ServerMetrics(this.#registry, context);
    this.#keys = new KeyMetrics(this.#registry, context);
    this.#archive = new ArchiveMetrics(this.#registry, context);
    const { version, commit, node, migrationLevel } = release;
    new Gauge({
      name: 'holdfast_build_info',
      help: 'The release that runs here; always 1.',
      labelNames: ['release', 'commit', 'node', 'migration'],
      registers,
    }).set({ release: version, commit: commit ?? 'unknown', node, migration: migrationLevel }, 1);
    this.#ready = new Gauge({
      name: 'holdfast_ready',
      help: 'The state that /readyz tells, which is 1; the others are 0.',
      labelNames: ['state'],
      registers,
    });
    this.#writesPossible = new Gauge({
      name: 'holdfast_writes_possible',
      help: 'Whether /readyz/write says that changes can be made, 1 or 0.',
      registers,
    });
    this.#writesState = new Gauge({
      name: 'holdfast_writes_state',
      help: 'Why nothing can be changed, or `ready`: this state is 1, the others are 0. Says nothing of whether reads are served.',
      labelNames: ['state'],
      registers,
    });
  }

  /** The same check as that of `/readyz` and `/readyz/write`. */
  watchReadiness(check: () => Promise<ReadinessReport>): void {
    this.#checkReady = check;
  }

  watchDoors(doors: Doors): void {
    this.#doors.watch(doors);
  }

  async text(): Promise<string> {
    return (await this.read()).text;
  }

  /** Everybody who asks meanwhile gets the text that is being written, or was a moment ago. */
  async read(): Promise<Required<WrittenMetrics>> {
    if (this.#written !== undefined && Math.abs(this.#clock.now() - this.#writtenAt) < this.#sharedMs)
      return this.#written;
    this.#writing ??= this.#write().finally(() => (this.#writing = undefined));
    return this.#writing;
  }

  async #write(): Promise<Required<WrittenMetrics>> {
    this.node.collect();
    this.#doors.collect();
    this.workspaces.collect();
    const rare = [
      this.#queues,
      this.shipping,
      this.#replica,
      this.#servers,
      this.workspaces,
      this.#keys,
      this.#archive,
    ];
    const measured = rare.map(({ measurement }) => measurement.collect());
    await Promise.all([...measured, this.#collectReadiness()]);
    this.#written = compressedOnce(await this.#registry.metrics());
    this.#writtenAt = this.#clock.now();
    return this.#written;
  }

  async #collectReadiness(): Promise<void> {
    const now = this.#clock.now();
    if (this.#checkReady === undefined || Math.abs(now - this.#readyCheckedAt) < readinessIntervalMs) return;
    this.#readyCheckedAt = now;
    const notYet = (): Error => new Error('The node is not ready yet.');
    const current = await withDeadline(this.#checkReady(), readinessMs, notYet).catch(() => undefined);
    const { status = 'starting', writes = 'ready' } = current ?? {};
    for (const state of [...readyStates, 'starting']) this.#ready.set({ state }, state === status ? 1 : 0);
    for (const state of writeStates) this.#writesState.set({ state }, state === writes ? 1 : 0);
    this.#writesPossible.set(status === 'ready' && writes === 'ready' ? 1 : 0);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }
}

function compressedOnce(text: string): Required<WrittenMetrics> {
  const made = new Map<Encoding, Promise<Uint8Array>>();
  return {
    text,
    compressed: (encoding) => made.getOrInsertComputed(encoding, () => compress(Buffer.from(text), encoding)),
  };
}
