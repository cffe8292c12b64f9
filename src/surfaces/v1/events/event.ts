// Events on v1: read as they are sent to webhooks, newest first, and never written from outside.

import { event } from '../../../model/event/event.ts';
import { account } from '../../../model/structure/account.ts';
import { readActions } from '../../../actions/core/record-actions.ts';
import { eventRules, type EventRenderer } from '../../../actions/events/event.ts';
import { renderSnakeCase } from '../../snake-case/snake-case-object.ts';
import { v1ListPath, v1ReadPath, type V1Paths } from '../resource-paths.ts';
import { toV1Transaction } from '../ledger/transaction.ts';
import { v1 } from '../wire.ts';

/** What events tell of, in the words of v1: here and in deliveries. */
export const eventRenderers: EventRenderer = {
  accountFields: v1.shownFields,
  account: (record) => renderSnakeCase(account, record, v1),
  transaction: toV1Transaction,
  event: (shownEvent) => renderSnakeCase(event, shownEvent, v1),
};

const paths: V1Paths<typeof event> = { actions: readActions(eventRules(eventRenderers)), order: 'newest-first' };

export const eventPaths = [v1ListPath(paths), v1ReadPath(paths)];
