// Events on v1: read as they are sent to webhooks, newest first, and never written from outside.

import type { AnyRecord } from '../../kit/resource.ts';
import { event } from '../../model/event.ts';
import { eventRules, type EventWords } from '../../actions/event.ts';
import { renderFlat } from '../flat/object.ts';
import { listPath, readPath, type V1Paths } from './paths.ts';
import { toV1Transaction } from './transaction.ts';
import { v1 } from './wire.ts';

/** What events tell of, in the words of v1: here and in deliveries. */
export const eventWords: EventWords = {
  transaction: toV1Transaction,
  event: (shown) => renderFlat(event, shown as AnyRecord, v1),
};

const paths: V1Paths<typeof event> = { rules: eventRules(eventWords), order: 'newest-first' };

export const eventPaths = [listPath(paths), readPath(paths)];
