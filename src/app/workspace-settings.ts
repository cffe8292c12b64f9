// Reads what a workspace may use and for how long its rows are kept, as far as its operator sets nothing else for it.

import {
  auditDaysMin,
  workspaceSettings,
  type InstallationSettings,
  type SettingFloors,
  type WorkspaceSettingName,
} from '../model/access/workspace-settings.ts';
import type { SettingReader } from './setting-reader.ts';

export interface WorkspaceSettingDefaults {
  readonly workspaceSettings: InstallationSettings;
  readonly settingFloors: SettingFloors;
}

export function readWorkspaceSettings(reader: SettingReader): WorkspaceSettingDefaults {
  const read = (variable: string, name: WorkspaceSettingName, defaultValue: number): number => {
    const { min, max, unit } = workspaceSettings[name];
    return reader.integer(variable, { min, max, defaultValue }) * unit.size;
  };
  const readOrNone = (variable: string, name: WorkspaceSettingName): number | null =>
    reader.text(variable) === undefined ? null : read(variable, name, 0);
  const { max } = workspaceSettings.auditDays;
  const floors = {
    auditDays: reader.integer('AUDIT_RETENTION_DAYS_MIN', { min: auditDaysMin, max, defaultValue: auditDaysMin }),
  };
  const settings: InstallationSettings = {
    requestsPerMinute: read('BUDGET_PER_MINUTE', 'requestsPerMinute', 1_000),
    burst: read('BUDGET_BURST', 'burst', 300),
    storageBytes: readOrNone('STORAGE_MEGABYTES_MAX', 'storageBytes'),
    importRows: read('IMPORT_ROWS_MAX', 'importRows', 20_000_000),
    importBytes: read('IMPORT_MEGABYTES_MAX', 'importBytes', 20_000),
    importRowsPerDay: readOrNone('IMPORT_ROWS_PER_DAY', 'importRowsPerDay'),
    requestLogDays: read('REQUEST_LOG_RETENTION_DAYS', 'requestLogDays', 7),
    eventDays: read('EVENT_RETENTION_DAYS', 'eventDays', 90),
    roundDays: read('ROUND_RETENTION_DAYS', 'roundDays', 400),
    limitDays: read('LIMIT_RETENTION_DAYS', 'limitDays', 3_650),
    auditDays: read('AUDIT_RETENTION_DAYS', 'auditDays', 3_650),
    unbookedImportDays: read('IMPORT_RETENTION_DAYS', 'unbookedImportDays', 90),
  };
  if (settings.auditDays < floors.auditDays)
    reader.faults.push(
      `AUDIT_RETENTION_DAYS is ${settings.auditDays}, and AUDIT_RETENTION_DAYS_MIN lets nothing below ${floors.auditDays} be set.`,
    );
  return { workspaceSettings: settings, settingFloors: floors };
}
