// Metrics of the doors of a node: the connections of callers, and the room for large bodies. Read when they are asked for.

import { Counter, Gauge, type Registry } from 'prom-client';
import type { SpoolRoom } from '../../surfaces/http/bulk/spool-room.ts';
import type { CallerConnections } from '../../surfaces/http/pipeline/caller-connections.ts';

export interface Doors {
  readonly connections: CallerConnections;
  readonly spoolRoom: SpoolRoom;
}

export class DoorMetrics {
  readonly #connections: Gauge<'caller'>;
  readonly #closed: Counter;
  readonly #refused: Counter<'limit'>;
  readonly #spooled: Gauge;
  readonly #spoolLimit: Gauge;
  readonly #spoolRefusals: Counter;
  #doors: Doors | undefined;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#connections = new Gauge({
      name: 'holdfast_caller_connections',
      help: 'Open connections of callers, by whether a token or session was verified on them.',
      labelNames: ['caller'],
      registers,
    });
    this.#closed = new Counter({
      name: 'holdfast_caller_connections_closed_total',
      help: 'Idle connections that were closed to make room for others.',
      registers,
    });
    this.#refused = new Counter({
      name: 'holdfast_caller_connections_refused_total',
      help: 'Connections that were refused, by the limit that was reached.',
      labelNames: ['limit'],
      registers,
    });
    this.#spooled = new Gauge({
      name: 'holdfast_spooled_bytes',
      help: 'Bytes of large bodies that this node has received and not yet worked on to the end.',
      registers,
    });
    this.#spoolLimit = new Gauge({
      name: 'holdfast_spool_limit_bytes',
      help: 'Bytes that large bodies may take at the same time.',
      registers,
    });
    this.#spoolRefusals = new Counter({
      name: 'holdfast_spool_refusals_total',
      help: 'Large bodies that were refused because there was no room for them.',
      registers,
    });
  }

  watch(doors: Doors): void {
    this.#doors = doors;
  }

  /** To be called before the metrics are written. */
  collect(): void {
    if (this.#doors === undefined) return;
    const { connections, spoolRoom } = this.#doors;
    const { open, unknown, closed, refused } = connections.figures;
    this.#connections.set({ caller: 'unknown' }, unknown);
    this.#connections.set({ caller: 'known' }, open - unknown);
    for (const counter of [this.#closed, this.#refused, this.#spoolRefusals]) counter.reset();
    this.#closed.inc(closed);
    this.#refused.inc({ limit: 'address' }, refused.address);
    this.#refused.inc({ limit: 'node' }, refused.node);
    this.#spooled.set(spoolRoom.bytes);
    this.#spoolLimit.set(spoolRoom.bytesMax);
    this.#spoolRefusals.inc(spoolRoom.refused);
  }
}
