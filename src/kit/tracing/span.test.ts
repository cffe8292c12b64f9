// Work within a span ends it, whatever happens, and says of an error only its code or its class.

import { expect, test } from 'vitest';
import { activeSpan, completeSpan, errorName, runInSpan, traced, type Span } from './span.ts';

/** A span that writes down what happens to it and to those below it. */
function recorded(events: string[], name: string, isSampled = true): Span {
  return {
    traceId: 'a'.repeat(32),
    traceparent: '',
    isSampled,
    begin: (child) => (events.push(`begin ${child}`), recorded(events, child)),
    set: () => {},
    fail: (reason) => void events.push(`fail ${name} ${reason}`),
    end: () => void events.push(`end ${name}`),
  };
}

test('the span is that of the work within it, and of nothing around it', async () => {
  const span = recorded([], 'one');
  expect(activeSpan()).toBeUndefined();
  expect(runInSpan(span, () => activeSpan())).toBe(span);
  expect(runInSpan(recorded([], 'other', false), () => activeSpan())).toBeUndefined();
  expect(activeSpan()).toBeUndefined();
});

test('work ends its span, and one that fails says so first', async () => {
  const events: string[] = [];
  expect(await completeSpan(recorded(events, 'good'), async () => 7)).toBe(7);
  const failure = new TypeError('secret');
  await expect(completeSpan(recorded(events, 'bad'), () => Promise.reject(failure))).rejects.toBe(failure);
  expect(events).toEqual(['end good', 'fail bad TypeError', 'end bad']);
});

test('a part of recorded work has a span below it, and any other none', async () => {
  const events: string[] = [];
  const task = async (span: Span | undefined): Promise<boolean> => span !== undefined && activeSpan() === span;
  expect(await traced('alone', {}, task)).toBe(false);
  expect(await runInSpan(recorded(events, 'whole'), () => traced('part', {}, task))).toBe(true);
  expect(events).toEqual(['begin part', 'end part']);
});

test.each([
  [new RangeError('secret'), 'RangeError'],
  [Object.assign(new Error('secret'), { code: '57P01' }), '57P01'],
  [Object.assign(new Error('secret'), { code: 7 }), 'Error'],
  ['secret', 'error'],
  [undefined, 'error'],
])('%s is told as %s', (error, name) => {
  expect(errorName(error)).toBe(name);
});
