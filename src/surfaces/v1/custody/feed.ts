// Runs of feeds on v1: read newest first, and begun now.

import { feedRun } from '../../../model/custody/feed-run.ts';
import { readActions } from '../../../actions/core/record-actions.ts';
import { feedRunRules } from '../../../actions/feeds/feed-run.ts';
import { runFeedNow, runFeedRefusals } from '../../../actions/feeds/run-feed.ts';
import { defineOperation } from '../../http/operation/operation.ts';
import { pathParameter } from '../../http/operation/path-parameter.ts';
import { snakeCaseSchema } from '../../snake-case/snake-case-object.ts';
import { renderV1, v1ListPath, v1ReadPath, type V1Paths } from '../resource-paths.ts';
import { v1 } from '../wire.ts';

const paths: V1Paths<typeof feedRun> = { actions: readActions(feedRunRules), order: 'newest-first' };

const runPath = defineOperation<void>({
  id: 'v1.feed-run.run',
  wire: v1,
  group: feedRun.plural,
  resource: feedRun,
  method: 'POST',
  path: '/v1/feeds/{id}/run',
  summary: 'Run a feed now',
  description:
    'Fetch what a custodian has without waiting for the next run, for example after its accounts were created. A feed belongs to an authority: the id is that of the authority, or of any run of its feed. The answer is the run that begins within seconds on one of the nodes; read it until it is `finished`. A run that is due already is answered as it is, and one that is under way is refused. Not more than once a minute, however the last run was begun.',
  right: 'write',
  mode: 'write',
  query: {},
  responses: {
    202: {
      description: 'The run that begins now.',
      schema: snakeCaseSchema(feedRun, v1),
      headers: { Location: 'Its address.' },
    },
  },
  refusals: [...runFeedRefusals],
  read: () => undefined,
  async handle({ work, params }) {
    const run = await runFeedNow(work, pathParameter(params, 'id'));
    const location = `${work.context.addresses.baseUrl}/v1/feeds/${run.id}`;
    return { status: 202, headers: { location }, body: renderV1(feedRun, run) };
  },
});

export const feedPaths = [v1ListPath(paths), v1ReadPath(paths), runPath];
