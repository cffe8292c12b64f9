// Compares timestamps with the platform's Date over generated instants and offsets.

import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { DateFault } from './calendar-date.ts';
import { formatInstant, InstantFault, parseInstant } from './instant.ts';

const rangeMs = { min: Date.UTC(1900, 0, 2), max: Date.UTC(2200, 11, 30) };
const two = (value: number) => String(value).padStart(2, '0');
const anyInstant = fc.integer(rangeMs);

function reasonOf(text: string): string {
  try {
    parseInstant(text);
    return 'accepted';
  } catch (error) {
    if (error instanceof InstantFault || error instanceof DateFault) return error.reason;
    throw error;
  }
}

test('any instant is written and read back unchanged', () => {
  fc.assert(fc.property(anyInstant, (instant) => void expect(parseInstant(formatInstant(instant))).toBe(instant)));
});

test('any instant is read the same with any offset', () => {
  const offset = fc.record({ sign: fc.constantFrom('+', '-'), hour: fc.nat(23), minute: fc.nat(59) });
  fc.assert(
    fc.property(anyInstant, offset, (instant, { sign, hour, minute }) => {
      const shiftMs = (sign === '-' ? -1 : 1) * (hour * 60 + minute) * 60_000;
      const local = new Date(instant + shiftMs).toISOString().slice(0, -1);
      expect(parseInstant(`${local}${sign}${two(hour)}:${two(minute)}`)).toBe(instant);
    }),
  );
});

test.each([
  ['2026-11-15T14:00:00Z', '2026-11-15T14:00:00.000Z'],
  ['2026-11-15t14:00:00z', '2026-11-15T14:00:00.000Z'],
  ['2026-11-15T14:00:00.5+01:00', '2026-11-15T13:00:00.500Z'],
  ['2026-11-15T14:00:00.9999999-00:00', '2026-11-15T14:00:00.999Z'],
  ['1969-12-31T23:59:59.9999Z', '1969-12-31T23:59:59.999Z'],
  ['2026-01-01T00:30:00+23:59', '2025-12-31T00:31:00.000Z'],
])('%s is formatted as %s', (text, answer) => {
  expect(formatInstant(parseInstant(text))).toBe(answer);
});

test.each([
  ['2026-11-15T14:00:00', 'not-an-instant'],
  ['2026-11-15', 'not-an-instant'],
  ['2026-11-15 14:00:00Z', 'not-an-instant'],
  ['2026-11-15T14:00Z', 'not-an-instant'],
  ['2026-11-15T14:00:00.Z', 'not-an-instant'],
  ['2026-11-15T14:00:00+0100', 'not-an-instant'],
  ['2026-11-15T14:00:00Z\n', 'not-an-instant'],
  ['2026-11-15T24:00:00Z', 'no-such-time'],
  ['2026-11-15T14:60:00Z', 'no-such-time'],
  ['2016-12-31T23:59:60Z', 'no-such-time'],
  ['2026-11-15T14:00:00+24:00', 'no-such-time'],
  ['2026-11-15T14:00:00+01:60', 'no-such-time'],
  ['2026-02-29T14:00:00Z', 'no-such-day'],
  ['1900-01-01T00:00:00Z', 'accepted'],
  ['1900-01-01T00:00:00+00:01', 'out-of-range'],
  ['2200-12-31T23:59:59-00:01', 'out-of-range'],
])('%j is %s', (text, reason) => {
  expect(reasonOf(text)).toBe(reason);
});
