// Events on v1: read as they are sent to webhooks, newest first, and never written from outside.

import type { AnyRecord } from '../../../kit/resource.ts';
import { event } from '../../../model/event/event.ts';
import { eventRules, type EventWords } from '../../../actions/events/event.ts';
import { renderFlat } from '../../snake-case/snake-case-object.ts';
import { listPath, readPath, type V1Paths } from '../resource-paths.ts';
import { toV1Transaction } from '../ledger/transaction.ts';
import { v1 } from '../wire.ts';

/** What events tell of, in the words of v1: here and in deliveries. */
export const eventWords: EventWords = {
  transaction: toV1Transaction,
  event: (shown) => renderFlat(event, shown as AnyRecord, v1),
};

const paths: V1Paths<typeof event> = { rules: eventRules(eventWords), order: 'newest-first' };

export const eventPaths = [listPath(paths), readPath(paths)];
