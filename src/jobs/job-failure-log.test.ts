import { expect, test } from 'vitest';
import { ManualClock } from '../../tests/setup/kit/manual-clock.ts';
import { minuteMs } from '../kit/clock.ts';
import { Refusal } from '../kit/refusal.ts';
import { JobFailureLog } from './job-failure-log.ts';

test('a job that fails because of the database is logged once a minute for each reason, with how many were left out', () => {
  const clock = new ManualClock(0);
  const log = new JobFailureLog(clock);
  const readOnly = new Refusal('database-read-only', '');
  const wrapped = new Error('Three environments failed.', { cause: readOnly });
  expect([log.count('rounds', readOnly), log.count('rounds', wrapped), log.count('rounds', readOnly)]).toEqual([
    0,
    undefined,
    undefined,
  ]);
  expect(log.count('mails', readOnly)).toBe(0);
  expect(log.count('rounds', new Refusal('database-away', ''))).toBe(0);
  clock.advance(minuteMs - 1);
  expect(log.count('rounds', readOnly)).toBeUndefined();
  clock.advance(1);
  expect([log.count('rounds', readOnly), log.count('rounds', readOnly)]).toEqual([3, undefined]);
});

test('any other failure is logged each time', () => {
  const log = new JobFailureLog(new ManualClock(0));
  const failures = [new Error('one'), new Error('one'), new Error('two', { cause: new Error('one') })];
  expect(failures.map((error) => log.count('rounds', error))).toEqual([0, 0, 0]);
});

test('causes that form a circle are followed only so far', () => {
  const error = new Error('around');
  error.cause = error;
  expect(new JobFailureLog(new ManualClock(0)).count('rounds', error)).toBe(0);
});
