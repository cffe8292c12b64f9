// The noisiest workspaces count by themselves, never more than so many, and no count of a name goes back.

import { expect, test } from 'vitest';
import { ManualClock } from '../../../tests/setup/kit/manual-clock.ts';
import { minuteMs } from '../../kit/clock.ts';
import { NoisyWorkspaces } from './noisy-workspaces.ts';

const requestsOf = (noisy: NoisyWorkspaces): object =>
  Object.fromEntries(noisy.list().map(([workspace, { requests }]) => [workspace, requests]));

function count(noisy: NoisyWorkspaces, requests: Readonly<Record<string, number>>): void {
  for (const [workspace, amount] of Object.entries(requests)) noisy.add(workspace, 'requests', amount);
}

test('while there are few workspaces, each counts by itself from its first request', () => {
  const noisy = new NoisyWorkspaces(new ManualClock(0), 3);
  count(noisy, { a: 5, b: 1 });
  count(noisy, { a: 1 });
  expect(requestsOf(noisy)).toEqual({ a: 6, b: 1, other: 0 });
});

test('a noisier workspace takes the place of the quietest, whose series ends, and counts from then on', () => {
  const clock = new ManualClock(0);
  const noisy = new NoisyWorkspaces(clock, 2);
  count(noisy, { a: 50, b: 10, c: 30 });
  expect(requestsOf(noisy)).toEqual({ a: 50, b: 10, other: 30 });
  clock.advance(minuteMs);
  count(noisy, { c: 1 });
  expect(requestsOf(noisy)).toEqual({ a: 50, c: 1, other: 30 });
  count(noisy, { b: 4 });
  expect(requestsOf(noisy)).toEqual({ a: 50, c: 1, other: 34 });
});

test('whoever is quiet keeps its place while nobody needs it, and its count', () => {
  const clock = new ManualClock(0);
  const noisy = new NoisyWorkspaces(clock, 2);
  count(noisy, { a: 5 });
  for (let minute = 0; minute < 20; minute++) {
    clock.advance(minuteMs);
    count(noisy, { b: 7 });
  }
  expect(requestsOf(noisy)).toEqual({ a: 5, b: 140, other: 0 });
});

test('time at the database and rejections make noise as well as requests', () => {
  const clock = new ManualClock(0);
  const noisy = new NoisyWorkspaces(clock, 1);
  count(noisy, { many: 60, few: 40 });
  noisy.add('few', 'databaseSeconds', 9);
  noisy.add('many', 'databaseSeconds', 1);
  clock.advance(minuteMs);
  count(noisy, { few: 1 });
  expect(requestsOf(noisy)).toEqual({ few: 1, other: 40 });
  for (const _ of [1, 2, 3]) noisy.add('many', 'rejected', 1);
  noisy.add('many', 'databaseSeconds', 9);
  clock.advance(minuteMs);
  count(noisy, { many: 1 });
  expect(Object.keys(requestsOf(noisy))).toEqual(['many', 'other']);
});

test('thousands of workspaces take no more series and no more memory', () => {
  const clock = new ManualClock(0);
  const noisy = new NoisyWorkspaces(clock, 20);
  for (let index = 0; index < 5_000; index++) count(noisy, { [`w${index}`]: 2 });
  clock.advance(minuteMs);
  for (let index = 0; index < 5_000; index++) count(noisy, { [`w${index}`]: 2 });
  const all = noisy.list();
  expect([all.length, all.reduce((sum, [, { requests }]) => sum + requests, 0) <= 20_000]).toEqual([21, true]);
});

test('with no places everything is counted together', () => {
  const noisy = new NoisyWorkspaces(new ManualClock(0), 0);
  count(noisy, { a: 5, b: 10, other: 1 });
  expect(requestsOf(noisy)).toEqual({ other: 16 });
});
