// Builds what ships the audit log and the request log on a node: the destinations of the settings, and the worker.

import { hostname } from 'node:os';
import pino, { type Logger } from 'pino';
import { defined } from '../../kit/assert.ts';
import { appendToFile, FileDestination, type AppendText } from '../../gateways/log-shipping/file-destination.ts';
import { HttpDestination } from '../../gateways/log-shipping/http-destination.ts';
import { SyslogDestination } from '../../gateways/log-shipping/syslog-destination.ts';
import type { AppContext } from '../../actions/core/context.ts';
import { createLogShipping } from '../../jobs/log-shipping.ts';
import type { LogDestination, ShippingDestination } from '../../model/operations/shipped-log.ts';
import type { Config } from '../config.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Release } from '../release.ts';
import type { BackgroundJobs } from './background-jobs.ts';

interface ShippingParts {
  readonly config: Config;
  readonly context: AppContext;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly release: Release;
  onFailure(error: unknown): void;
}

/** None where nothing is shipped. */
export function makeLogShippingJobs(parts: ShippingParts): readonly BackgroundJobs[] {
  const { context, log, metrics, onFailure } = parts;
  if (context.logShipping.destinations.length === 0) return [];
  const destinations = context.logShipping.destinations.map((name) => makeDestination(name, parts));
  const worker = createLogShipping({
    context,
    destinations,
    observer: {
      onEnd(shipment, end) {
        metrics.shipping.count(shipment, end);
        // Names no workspace: how far each is behind is in the database.
        if (end.kind === 'failed')
          log.warn(
            { log: shipment.log, destination: shipment.destination, failure: end.detail },
            'lines of a log were not acknowledged and are sent again',
          );
      },
      onFailure,
    },
  });
  return [
    {
      jobs: worker.jobs,
      async stop() {
        await worker.stop();
        await Promise.all(destinations.map((one) => one.close()));
      },
    },
  ];
}

const isSet = 'a destination is named only where its setting is';

function makeDestination(name: ShippingDestination, { config, context, log, release }: ShippingParts): LogDestination {
  const { https, file, syslog, otlp, authorities } = config.shipping;
  switch (name) {
    case 'https':
    case 'otlp': {
      const target = defined(name === 'https' ? https : otlp, isSet);
      return new HttpDestination({ name, ...target, authorities, release: release.version, clock: context.clock });
    }
    case 'file': {
      const path = defined(file, isSet);
      return new FileDestination(path === '-' ? appendToLog(log) : appendToFile(path));
    }
    case 'syslog':
      return new SyslogDestination({ ...defined(syslog, isSet), authorities, hostname: hostname() });
  }
}

/** What standard output is written through: the log of the service, so that lines of both are not mixed. */
interface LogStream {
  write(text: string): unknown;
  flush?(done: (error?: NodeJS.ErrnoException | null) => void): void;
  on?(event: 'drop', listener: () => void): unknown;
  off?(event: 'drop', listener: () => void): unknown;
}

/** A pipe cannot be synchronised with a disk. */
const hasNoDisk: readonly (string | undefined)[] = ['EINVAL', 'ENOTSUP', 'EROFS'];

export function appendToLog(log: Logger): AppendText {
  const stream = (log as unknown as Record<symbol, LogStream>)[pino.symbols.streamSym]!;
  return async (text) => {
    let isDropped = false;
    const onDrop = (): void => void (isDropped = true);
    stream.on?.('drop', onDrop);
    for (const line of text.split('\n')) if (line !== '') stream.write(`${line}\n`);
    stream.off?.('drop', onDrop);
    if (isDropped) throw new Error('Nobody reads the standard output.');
    await new Promise<void>((resolve, reject) => {
      if (stream.flush === undefined) return resolve();
      stream.flush((error) => (error == null || hasNoDisk.includes(error.code) ? resolve() : reject(error)));
    });
  };
}
