// Metrics of single workspaces: the noisiest as this node has seen them, the largest and those nearest to a quota as the database knows them. Each
// has a bounded number of series; all other workspaces count together.

import { Counter, Gauge, type Registry } from 'prom-client';
import type { AppContext } from '../../actions/core/context.ts';
import { secondMs } from '../../kit/clock.ts';
import type { RefusalCode } from '../../model/refusals/refusals.ts';
import type { AnsweredRequest } from '../../surfaces/http/pipeline/observer.ts';
import { NoisyWorkspaces, otherWorkspaces } from './noisy-workspaces.ts';
import { RareMeasurement } from './rare-measurement.ts';

/** The refusals of whoever asks for more than a workspace may. */
const rejections: ReadonlySet<string> = new Set<RefusalCode>([
  'budget-exceeded',
  'too-many-in-flight',
  'mail-limit',
  'spool-full',
  'storage-quota-reached',
  'import-quota-reached',
  'import-day-quota-reached',
]);

type MetricsContext = Pick<AppContext, 'stores' | 'clock' | 'workspaceSettings' | 'databaseUse'>;

export class WorkspaceMetrics {
  readonly #context: MetricsContext;
  readonly #most: number;
  readonly #noisy: NoisyWorkspaces;
  readonly #requests: Counter<'workspace'>;
  readonly #rejected: Counter<'workspace'>;
  readonly #databaseSeconds: Counter<'workspace'>;
  readonly #rows: Gauge<'workspace' | 'environment'>;
  readonly #bytes: Gauge<'workspace' | 'environment'>;
  readonly #quotas: Gauge<'workspace' | 'environment' | 'quota'>;
  readonly measurement: RareMeasurement;

  /** `most`: how many count by themselves. */
  constructor(registry: Registry, context: MetricsContext, most: number) {
    this.#context = context;
    this.#most = most;
    this.#noisy = new NoisyWorkspaces(context.clock, most);
    this.measurement = new RareMeasurement(context.clock, (now) => this.#measure(now));
    const registers = [registry];
    const counter = (name: string, help: string): Counter<'workspace'> =>
      new Counter({ name, help, labelNames: ['workspace'], registers });
    this.#requests = counter('holdfast_workspace_requests_total', 'Requests of the noisiest workspaces.');
    this.#rejected = counter(
      'holdfast_workspace_rejected_total',
      'Requests of the noisiest workspaces that were refused because of a budget or a quota.',
    );
    this.#databaseSeconds = counter(
      'holdfast_workspace_database_seconds_total',
      'Time for which work of the noisiest workspaces has held connections to the database.',
    );
    const gauge = (name: string, help: string): Gauge<'workspace' | 'environment'> =>
      new Gauge({ name, help, labelNames: ['workspace', 'environment'], registers });
    this.#rows = gauge('holdfast_workspace_storage_rows', 'Rows of the largest environments, as last measured.');
    this.#bytes = gauge('holdfast_workspace_storage_bytes', 'Storage of the largest environments, as last measured.');
    this.#quotas = new Gauge({
      name: 'holdfast_workspace_quota_used_ratio',
      help: 'The part of a quota that is used, of those environments that are nearest to one.',
      labelNames: ['workspace', 'environment', 'quota'],
      registers,
    });
  }

  count({ workspaceId, code }: AnsweredRequest): void {
    if (workspaceId === undefined) return;
    this.#noisy.add(workspaceId, 'requests', 1);
    if (code !== undefined && rejections.has(code)) this.#noisy.add(workspaceId, 'rejected', 1);
  }

  /** To be called before the metrics are written. */
  collect(): void {
    for (const [workspace, ms] of this.#context.databaseUse.take())
      this.#noisy.add(workspace, 'databaseSeconds', ms / secondMs);
    for (const one of [this.#requests, this.#rejected, this.#databaseSeconds]) one.reset();
    for (const [workspace, use] of this.#noisy.list()) {
      this.#requests.inc({ workspace }, use.requests);
      this.#rejected.inc({ workspace }, use.rejected);
      this.#databaseSeconds.inc({ workspace }, use.databaseSeconds);
    }
  }

  async #measure(now: number): Promise<void> {
    const { stores, workspaceSettings: settings } = this.#context;
    const most = this.#most;
    const today = new Date(now).toISOString().slice(0, 10);
    const { largest, all } = await stores.preAuth.listLargest(most);
    const nearest = await stores.preAuth.listNearestQuotas({ most, settings, today });
    for (const gauge of [this.#rows, this.#bytes, this.#quotas]) gauge.reset();
    const rest = { ...all };
    for (const { workspaceId: workspace, environment, rows, bytes } of largest) {
      this.#rows.set({ workspace, environment }, rows);
      this.#bytes.set({ workspace, environment }, bytes);
      rest.rows -= rows;
      rest.bytes -= bytes;
    }
    const others = { workspace: otherWorkspaces, environment: otherWorkspaces };
    // Each statement has a moment of its own.
    this.#rows.set(others, Math.max(0, rest.rows));
    this.#bytes.set(others, Math.max(0, rest.bytes));
    for (const { workspaceId: workspace, environment, quota, used, max } of nearest)
      this.#quotas.set({ workspace, environment, quota }, used / max);
  }
}
