// Runs of feeds on v1: read only, newest first.

import type { feedRun } from '../../../model/custody/feed-run.ts';
import { readActions } from '../../../actions/core/record-actions.ts';
import { feedRunRules } from '../../../actions/feeds/feed-run.ts';
import { v1ListPath, v1ReadPath, type V1Paths } from '../resource-paths.ts';

const paths: V1Paths<typeof feedRun> = { actions: readActions(feedRunRules), order: 'newest-first' };

export const feedPaths = [v1ListPath(paths), v1ReadPath(paths)];
