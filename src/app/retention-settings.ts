// Reads for how many days the service keeps what would otherwise grow for ever.

import { dayMs } from '../kit/clock.ts';
import type { AppContext } from '../actions/core/context.ts';
import type { SettingReader } from './setting-reader.ts';

export interface RetentionDays {
  /** Events, and deliveries from when they ended. */
  readonly events: number;
  /** Finished rounds. */
  readonly rounds: number;
  /** States of limits, from when they ended. */
  readonly limitStates: number;
  readonly auditLines: number;
  /** Imports that were checked and never booked, from when they were sent. */
  readonly unbookedImports: number;
}

const daysMax = 36_500;

export function readRetentionDays(reader: SettingReader): RetentionDays {
  return {
    // At least two days, because a delivery is retried for one.
    events: reader.integer('EVENT_RETENTION_DAYS', { min: 2, max: daysMax, defaultValue: 90 }),
    rounds: reader.integer('ROUND_RETENTION_DAYS', { min: 2, max: daysMax, defaultValue: 400 }),
    limitStates: reader.integer('LIMIT_RETENTION_DAYS', { min: 2, max: daysMax, defaultValue: 3_650 }),
    auditLines: reader.integer('AUDIT_RETENTION_DAYS', { min: 30, max: daysMax, defaultValue: 3_650 }),
    unbookedImports: reader.integer('IMPORT_RETENTION_DAYS', { min: 1, max: daysMax, defaultValue: 90 }),
  };
}

export function retentionMs(days: RetentionDays): AppContext['retentionMs'] {
  const { events, rounds, limitStates, auditLines, unbookedImports } = days;
  return {
    events: events * dayMs,
    rounds: rounds * dayMs,
    limitStates: limitStates * dayMs,
    auditLines: auditLines * dayMs,
    unbookedImports: unbookedImports * dayMs,
  };
}
