// Runs a node of the service in a separate process, which also writes events on request in ordinary units of work, so that it is
// woken up as usual. Reports when they were committed.

import pino from 'pino';
import { emit } from '../../src/actions/events/event.ts';
import type { Tenant } from '../../src/model/access/scope.ts';
import { serviceAuthor, runInTransaction } from '../../src/actions/core/work.ts';
import { readConfig } from '../../src/app/config.ts';
import type { Id } from '../../src/kit/id.ts';
import { startService } from '../../src/app/start-service.ts';
import { benchClientId, preciseNow, entityValuedObject } from './fixture.ts';

/** Writes an event for each of a number of clients, in a number of transactions, with consecutive numbers. */
export interface NodeRequest {
  readonly tenant: Tenant;
  readonly clients: { readonly first: number; readonly count: number };
  readonly pieces: number;
  readonly firstNumber: number;
}

export interface NodeReport {
  /** The number of each transaction, and when it was committed. */
  readonly committed: readonly (readonly [number: number, at: number])[];
}

const { context, server } = await startService(readConfig(process.env), { log: pino({ level: 'silent' }) });

process.on('message', ({ tenant, clients, pieces, firstNumber }: NodeRequest) => {
  const write = async (): Promise<void> => {
    const committed: [number, number][] = [];
    for (let number = firstNumber; number < firstNumber + pieces; number++) {
      await runInTransaction(context, serviceAuthor(tenant), async (work) => {
        const clientIds = Array.from(
          { length: clients.count },
          (_none, index) => benchClientId(clients.first + index) as Id,
        );
        emit(
          work,
          ...clientIds.map(
            (client) =>
              ({ type: 'reporting_entity.valued', client, object: entityValuedObject(client, number) }) as const,
          ),
        );
      });
      committed.push([number, preciseNow()]);
    }
    process.send!({ committed } satisfies NodeReport);
  };
  void write();
});
process.send!(`http://127.0.0.1:${(server.app.server.address() as { port: number }).port}`);
