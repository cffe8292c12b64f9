// A signal stops the service once and ends the process: with 0 if it stopped, with 1 and a reason if it failed, and with 1 if it hangs.

import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { stopOnSignal } from './stop-on-signal.ts';

/** A process that remembers how it ended, and with what reason. */
class EndingProcess extends EventEmitter {
  readonly codes: number[] = [];
  readonly printed: string[] = [];
  readonly stderr = { write: (text: string) => this.printed.push(text) };
  readonly exit = (code: number): void => void this.codes.push(code);
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A process whose service stops as told; and how often it was told to. */
function processWith(stop: () => Promise<void>): { own: EndingProcess; stopCount: () => number } {
  const own = new EndingProcess();
  let count = 0;
  const stopped = (): Promise<void> => {
    count++;
    return stop();
  };
  stopOnSignal(own)({ stop: stopped });
  return { own, stopCount: () => count };
}

test.each(['SIGTERM', 'SIGINT'])('%s stops the service, and the process ends with 0', async (signal) => {
  const { own, stopCount } = processWith(() => Promise.resolve());
  expect([stopCount(), own.codes]).toEqual([0, []]);
  own.emit(signal);
  await vi.advanceTimersByTimeAsync(0);
  expect([stopCount(), own.codes, own.printed]).toEqual([1, [0], []]);
});

test.each(['SIGTERM', 'SIGINT'])('%s during the start ends the process with 0 at once', (signal) => {
  const own = new EndingProcess();
  stopOnSignal(own);
  own.emit(signal);
  expect([own.codes, own.printed]).toEqual([[0], []]);
});

test('a stop that fails ends with 1 and says why', async () => {
  const { own } = processWith(() => Promise.reject(new Error('it is stuck')));
  own.emit('SIGTERM');
  await vi.advanceTimersByTimeAsync(0);
  expect([own.codes, own.printed]).toEqual([[1], ['The service did not stop cleanly: Error: it is stuck\n']]);
});

test('a stop that hangs ends with 1 after 14 seconds, however many signals come', async () => {
  const { own, stopCount } = processWith(() => new Promise(() => {}));
  own.emit('SIGTERM');
  await vi.advanceTimersByTimeAsync(7_000);
  own.emit('SIGINT');
  own.emit('SIGTERM');
  await vi.advanceTimersByTimeAsync(6_999);
  expect([stopCount(), own.codes]).toEqual([1, []]);
  await vi.advanceTimersByTimeAsync(1);
  expect(own.codes).toEqual([1]);
  await vi.advanceTimersByTimeAsync(20_000);
  expect([stopCount(), own.codes, own.printed]).toEqual([1, [1], []]);
});
