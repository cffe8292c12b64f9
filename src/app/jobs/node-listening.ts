// Starts to listen to other nodes where that is of use, and logs whether they are heard.

import { listenToNodes } from '../../jobs/node-listening.ts';
import { reportError } from '../error-report.ts';
import type { ServiceParts } from '../make-server.ts';
import type { BackgroundJobs } from './background-jobs.ts';

/** A node that runs no jobs need not know, and poolers that need unnamed statements pass no messages. */
export function makeNodeListening({ config, context, connection, log }: ServiceParts): readonly BackgroundJobs[] {
  if (config.role === 'api' || config.databaseStatements === 'unnamed') return [];
  const { stop } = listenToNodes({
    context,
    connection,
    onChange(state, error) {
      if (state === 'on') log.info('this node hears at once where other nodes write');
      else log.info({ error: reportError(error) }, 'this node does not hear where other nodes write; sweeps find it');
    },
  });
  return [{ jobs: [], stop }];
}
