// A span that keeps what is done with it, for tests of parts that need no collector.

import type { Span } from '../../../src/kit/tracing/span.ts';

export interface RecordedSpan extends Span {
  readonly name: string;
  readonly children: RecordedSpan[];
  readonly attributes: Record<string, unknown>;
  failure: string | undefined;
  isEnded: boolean;
}

let count = 0;

export function makeRecordedSpan(name = 'root'): RecordedSpan {
  const spanId = (++count).toString(16).padStart(16, '0');
  const traceId = 'a'.repeat(32);
  const span: RecordedSpan = {
    name,
    traceId,
    traceparent: `00-${traceId}-${spanId}-01`,
    isSampled: true,
    children: [],
    attributes: {},
    failure: undefined,
    isEnded: false,
    begin(childName, { attributes = {} } = {}) {
      const child = makeRecordedSpan(childName);
      Object.assign(child.attributes, attributes);
      span.children.push(child);
      return child;
    },
    set: (attributes) => void Object.assign(span.attributes, attributes),
    fail: (reason) => void (span.failure = reason),
    end: () => void (span.isEnded = true),
  };
  return span;
}
