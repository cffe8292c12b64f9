// What holds for a workspace: what its operator has set, else what the installation says; and what is used of it.

import { dayMs } from '../../kit/clock.ts';
import {
  effectiveSettings,
  sourceOf,
  workspaceSettingNames,
  type EffectiveSettings,
  type SettingSource,
  type WorkspaceSettingName,
} from '../../model/access/workspace-settings.ts';
import type { ExpiryCutoffs } from '../../store/access/expiry.ts';
import type { OwnRetention } from '../../store/access/workspace-settings.ts';
import type { Store } from '../../store/store.ts';
import type { AppContext } from '../core/context.ts';
import type { Work } from '../core/work.ts';
import { mailCountingWindowMs } from '../people/mail-limits.ts';
import { webhookKeyOverlapMs } from '../events/webhook-key.ts';
import { requestCountMs } from './request-log.ts';
import { sessionRetentionMs } from './session.ts';
import { signingKeyRetentionMs } from './token.ts';

type SettingsContext = Pick<AppContext, 'workspaceSettings' | 'settingFloors'>;

export async function readSettings(context: SettingsContext, store: Store): Promise<EffectiveSettings> {
  const own = await store.workspaceSettings.readOwn();
  return effectiveSettings(context.workspaceSettings, own, context.settingFloors);
}

/** What a workspace of which only the retention is known keeps. */
export function effectiveRetention(context: SettingsContext, own: Partial<OwnRetention>): EffectiveSettings {
  const none = Object.fromEntries(workspaceSettingNames.map((name) => [name, null]));
  const all = { ...none, ...own } as Record<WorkspaceSettingName, number | null>;
  return effectiveSettings(context.workspaceSettings, all, context.settingFloors);
}

/** Before which moments rows are deleted. */
export function cutoffsOf(settings: EffectiveSettings, now: number): ExpiryCutoffs {
  const daysBefore = (days: number): number => now - days * dayMs;
  return {
    now,
    signingKeysBefore: now - signingKeyRetentionMs,
    webhookKeysBefore: now - webhookKeyOverlapMs,
    mailsBefore: now - mailCountingWindowMs,
    sessionsBefore: now - sessionRetentionMs,
    requestsBefore: daysBefore(settings.requestLogDays),
    requestCountsBefore: now - requestCountMs,
    eventsBefore: daysBefore(settings.eventDays),
    roundsBefore: daysBefore(settings.roundDays),
    limitStatesBefore: daysBefore(settings.limitDays),
    auditLinesBefore: daysBefore(settings.auditDays),
    unbookedImportsBefore: daysBefore(settings.unbookedImportDays),
  };
}

export interface SettingState {
  readonly name: WorkspaceSettingName;
  /** Null: there is no limit. */
  readonly value: number | null;
  readonly source: SettingSource;
  /** How much of it is used; null where it is no quota. */
  readonly used: number | null;
}

/** Every setting with what holds, why, and what is used of it in this environment. */
export async function listSettings(work: Work): Promise<readonly SettingState[]> {
  const { context, store, now } = work;
  const [own, measure, imports] = await Promise.all([
    store.workspaceSettings.readOwn(),
    store.workspaceSettings.readMeasure(),
    store.importUsage.read(now),
  ]);
  const settings = effectiveSettings(context.workspaceSettings, own, context.settingFloors);
  const used: Partial<Record<WorkspaceSettingName, number | null>> = {
    storageBytes: measure?.bytes ?? null,
    importRows: imports.rows,
    importBytes: imports.bytes,
    importRowsPerDay: imports.dayRows,
  };
  return workspaceSettingNames.map((name) => ({
    name,
    value: settings[name],
    source: sourceOf(own, name),
    used: used[name] ?? null,
  }));
}
