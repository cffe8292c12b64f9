// Metrics of the node itself, read when they are asked for: connections, ledger memory, threads, and what its threads have counted.

import { Counter, Gauge, type Registry } from 'prom-client';
import { rowOutcomes } from '../../model/custody/import-row.ts';
import {
  databaseErrorKinds,
  replicaOutcomes,
  type FigureName,
  type NodeFigures,
} from '../../model/operations/node-figures.ts';
import { shippedLogs } from '../../model/operations/shipped-log.ts';
import type { ThreadPool } from '../../surfaces/http/threads/thread-pool.ts';

/** What a thread is for. */
export type ThreadPurpose = 'main' | 'reports' | 'rounds';

interface ThreadFigures {
  readonly purpose: ThreadPurpose;
  readonly figures: NodeFigures;
}

interface Measured {
  /** Reads what is known now. */
  collect(): void;
}

/** The values of a label, and what each of them counts. */
interface LabelledFigures {
  readonly label: string;
  readonly figures: readonly (readonly [value: string, figure: FigureName])[];
}

export class NodeMetrics {
  readonly #registry: Registry;
  readonly #threads: ThreadFigures[] = [];
  readonly #measured: Measured[] = [];

  constructor(registry: Registry) {
    this.#registry = registry;
    this.#addConnections();
    this.#addLedgerCache();
    this.#addCounts();
  }

  /** Counts what a thread counts from now on. */
  addThread(purpose: ThreadPurpose, figures: NodeFigures): void {
    this.#threads.push({ purpose, figures });
  }

  addPool(purpose: ThreadPurpose, pool: ThreadPool): void {
    const gauge = (name: string, help: string): Gauge<'thread'> => this.#gauge(name, help);
    const [count, busy, waiting] = [
      gauge('holdfast_work_threads', 'Threads for heavy work.'),
      gauge('holdfast_work_threads_busy', 'Threads that have something to do.'),
      gauge('holdfast_work_thread_tasks_waiting', 'Tasks that share a thread with an earlier one.'),
    ];
    this.#measured.push({
      collect() {
        const load = pool.load();
        count.set({ thread: purpose }, pool.count);
        busy.set({ thread: purpose }, load.busy);
        waiting.set({ thread: purpose }, load.waiting);
      },
    });
  }

  /** To be called before the metrics are written. */
  collect(): void {
    for (const one of this.#measured) one.collect();
  }

  /** The same metric for each purpose is made once. */
  #gauge(name: string, help: string): Gauge<'thread'> {
    const known = this.#registry.getSingleMetric(name);
    if (known instanceof Gauge) return known;
    return new Gauge({ name, help, labelNames: ['thread'], registers: [this.#registry] });
  }

  #sum(name: FigureName, purpose?: ThreadPurpose): number {
    const counted = this.#threads.filter((one) => purpose === undefined || one.purpose === purpose);
    return counted.reduce((sum, { figures }) => sum + figures.get(name), 0);
  }

  /** A gauge for each purpose of threads. */
  #addFigure(figure: FigureName, name: string, help: string): void {
    const gauge = this.#gauge(name, help);
    this.#measured.push({
      collect: () => {
        for (const thread of new Set(this.#threads.map(({ purpose }) => purpose)))
          gauge.set({ thread }, this.#sum(figure, thread));
      },
    });
  }

  #addConnections(): void {
    this.#addFigure('connections', 'holdfast_database_connections', 'Open connections to the database.');
    this.#addFigure('connections-idle', 'holdfast_database_connections_idle', 'Connections that nobody uses.');
    this.#addFigure('connections-max', 'holdfast_database_connections_max', 'Connections that may be opened.');
    this.#addFigure(
      'connections-awaited',
      'holdfast_database_connection_waiters',
      'Requests and jobs that wait for a connection.',
    );
    this.#addFigure(
      'share-awaited',
      'holdfast_database_share_waiters',
      'Requests and jobs that wait because their workspace has as many connections as it may.',
    );
  }

  #addLedgerCache(): void {
    this.#addFigure('ledger-bytes', 'holdfast_ledger_cache_bytes', 'Memory that cached ledgers take.');
    this.#addFigure('ledger-bytes-max', 'holdfast_ledger_cache_limit_bytes', 'Memory that cached ledgers may take.');
    this.#addFigure(
      'ledger-entries',
      'holdfast_ledger_cache_entries',
      'Ledgers, and what is built of them, in memory.',
    );
    this.#addCounter('holdfast_ledger_cache_hits_total', 'Ledgers that were found in memory.', 'ledger-hits');
    this.#addCounter('holdfast_ledger_cache_misses_total', 'Ledgers that had to be loaded.', 'ledger-misses');
    this.#addCounters('holdfast_ledger_copies_total', 'Packed copies of large ledgers that were to be written.', {
      label: 'outcome',
      figures: [
        ['written', 'ledger-copies/written'],
        ['failed', 'ledger-copies/failed'],
      ],
    });
  }

  #addCounts(): void {
    this.#addCounters('holdfast_database_errors_total', 'Batches and connections that failed, by kind of error.', {
      label: 'kind',
      figures: databaseErrorKinds.map((kind) => [kind, `database-error/${kind}`]),
    });
    this.#addCounters('holdfast_replica_reads_total', 'Reports to be loaded from the replica, by what became of it.', {
      label: 'outcome',
      figures: replicaOutcomes.map((outcome) => [outcome, `replica/${outcome}`]),
    });
    this.#addCounters('holdfast_import_rows_total', 'Rows of imports that were to be booked, by what became of them.', {
      label: 'outcome',
      figures: rowOutcomes.map((outcome) => [outcome, `import-rows/${outcome}`]),
    });
    this.#addCounters(
      'holdfast_audit_shipping_deleted_total',
      'Lines that were deleted before they were shipped, after they were held back.',
      {
        label: 'log',
        figures: shippedLogs.map((log) => [log, `deleted-unshipped/${log}`]),
      },
    );
    this.#addCounters('holdfast_idempotent_requests_total', 'Requests that repeated an Idempotency-Key.', {
      label: 'outcome',
      figures: [
        ['replayed', 'answers-replayed'],
        ['conflict', 'answer-keys-reused'],
      ],
    });
  }

  #addCounter(name: string, help: string, figure: FigureName): void {
    const counter = new Counter({ name, help, registers: [this.#registry] });
    this.#measured.push({
      collect: () => {
        counter.reset();
        counter.inc(this.#sum(figure));
      },
    });
  }

  #addCounters(name: string, help: string, { label, figures }: LabelledFigures): void {
    const counter = new Counter({ name, help, labelNames: [label], registers: [this.#registry] });
    this.#measured.push({
      collect: () => {
        counter.reset();
        for (const [value, figure] of figures) counter.inc({ [label]: value }, this.#sum(figure));
      },
    });
  }
}
