// What holds for a workspace: its own value, else that of the installation, and never less than the installation lets anybody set.

import { expect, test } from 'vitest';
import {
  effectiveSettings,
  sourceOf,
  workspaceSettingNames,
  type InstallationSettings,
  type OwnSettings,
} from './workspace-settings.ts';

const each = (value: number | null) => Object.fromEntries(workspaceSettingNames.map((name) => [name, value]));
const installation = { ...each(400), storageBytes: null, importRowsPerDay: null } as unknown as InstallationSettings;
const none = each(null) as OwnSettings;
const floors = { auditDays: 30 };

test('a workspace of which nothing is set has what the installation says, also no limit', () => {
  expect(effectiveSettings(installation, none, floors)).toEqual(installation);
  expect(sourceOf(none, 'burst')).toBe('installation');
});

test('its own value counts, also one of nothing', () => {
  const own = { ...none, burst: 5, storageBytes: 0 };
  expect(effectiveSettings(installation, own, floors)).toEqual({ ...installation, burst: 5, storageBytes: 0 });
  expect(sourceOf(own, 'storageBytes')).toBe('workspace');
});

test('a floor that is raised later keeps lines of the audit log that a shorter time would delete', () => {
  const own = { ...none, auditDays: 60 };
  expect(effectiveSettings(installation, own, { auditDays: 365 }).auditDays).toBe(365);
  expect(effectiveSettings(installation, own, { auditDays: 60 }).auditDays).toBe(60);
});
