// Serves events on v1, read-only and newest first, in the form that webhooks receive.

import { event } from '../../../model/event/event.ts';
import { account } from '../../../model/structure/account.ts';
import { readActions } from '../../../actions/core/record-actions.ts';
import { eventRules, type EventRenderer } from '../../../actions/events/event.ts';
import { renderSnakeCase } from '../../snake-case/snake-case-object.ts';
import { v1ListPath, v1ReadPath, type V1Paths } from '../resource-paths.ts';
import { toV1Transaction } from '../ledger/transaction.ts';
import { v1 } from '../wire.ts';

/** Renders the records in events as v1 does, for reading and for deliveries. */
export const eventRenderers: EventRenderer = {
  accountFields: v1.shownFields,
  account: (record) => renderSnakeCase(account, record, v1),
  transaction: toV1Transaction,
  event: (shownEvent) => renderSnakeCase(event, shownEvent, v1),
};

const paths: V1Paths<typeof event> = { actions: readActions(eventRules(eventRenderers)), order: 'newest-first' };

export const eventPaths = [v1ListPath(paths), v1ReadPath(paths)];
