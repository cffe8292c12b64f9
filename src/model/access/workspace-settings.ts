// The settings of a workspace: what it may use, and for how long its rows are kept. The installation has a value for each; an operator sets
// another for a workspace. Each holds for each environment of the workspace.

import { keysOf } from '../../kit/keys.ts';

interface SettingDeclaration {
  /** The option of `holdfast workspace settings`. */
  readonly option: string;
  /** What one of its values is counted in there, and how many of ours that is. */
  readonly unit: { readonly name: string; readonly size: number };
  /** In its own unit. */
  readonly min: number;
  readonly max: number;
  /** What an operator and an administrator read about it. */
  readonly description: string;
}

const megabytes = { name: 'megabytes', size: 1_000_000 } as const;
const days = { name: 'days', size: 1 } as const;
const rows = { name: 'rows', size: 1 } as const;
const requests = { name: 'requests', size: 1 } as const;
const daysMax = 36_500;
const requestsMax = 100_000_000;
const figureMax = 999_999_999;
/** Lines of the audit log are kept for at least so long, whatever is set. */
export const auditDaysMin = 30;
/** A delivery is tried for one day, so what it tells of is kept for two. */
const keptDaysMin = 2;

const declarations = {
  requestsPerMinute: {
    option: 'requests-per-minute',
    unit: requests,
    min: 1,
    max: requestsMax,
    description: 'Requests a minute of one `sub`.',
  },
  burst: {
    option: 'burst',
    unit: requests,
    min: 1,
    max: requestsMax,
    description: 'How many of them may come at once.',
  },
  storageBytes: {
    option: 'storage-megabytes',
    unit: megabytes,
    min: 0,
    max: figureMax,
    description: 'The storage that all rows of the environment may take, as it is measured every few minutes.',
  },
  importRows: {
    option: 'import-rows',
    unit: rows,
    min: 0,
    max: figureMax,
    description: 'The rows that imports may keep.',
  },
  importBytes: {
    option: 'import-megabytes',
    unit: megabytes,
    min: 0,
    max: figureMax,
    description: 'The storage that rows of imports may take.',
  },
  importRowsPerDay: {
    option: 'import-rows-per-day',
    unit: rows,
    min: 0,
    max: figureMax,
    description: 'The rows that files and feeds may bring on one day of UTC.',
  },
  requestLogDays: {
    option: 'request-log-days',
    unit: days,
    min: 1,
    max: daysMax,
    description: 'For how long lines of the request log are kept.',
  },
  eventDays: {
    option: 'event-days',
    unit: days,
    min: keptDaysMin,
    max: daysMax,
    description: 'For how long events are kept, and deliveries after they ended.',
  },
  roundDays: {
    option: 'round-days',
    unit: days,
    min: keptDaysMin,
    max: daysMax,
    description: 'For how long finished calculation rounds are kept.',
  },
  limitDays: {
    option: 'limit-days',
    unit: days,
    min: keptDaysMin,
    max: daysMax,
    description: 'For how long states of limits are kept after they ended.',
  },
  auditDays: {
    option: 'audit-days',
    unit: days,
    min: auditDaysMin,
    max: daysMax,
    description: 'For how long lines of the audit log are kept.',
  },
  unbookedImportDays: {
    option: 'unbooked-import-days',
    unit: days,
    min: 1,
    max: daysMax,
    description: 'For how long imports are kept that were checked and never booked.',
  },
} as const satisfies Readonly<Record<string, SettingDeclaration>>;

export type WorkspaceSettingName = keyof typeof declarations;

export const workspaceSettings: Readonly<Record<WorkspaceSettingName, SettingDeclaration>> = declarations;
export const workspaceSettingNames: readonly WorkspaceSettingName[] = keysOf(declarations);

/** The values of the installation. Null: there is no limit. */
export type InstallationSettings = Readonly<
  Record<Exclude<WorkspaceSettingName, 'storageBytes' | 'importRowsPerDay'>, number> &
    Record<'storageBytes' | 'importRowsPerDay', number | null>
>;

/** The values of a workspace. Null: as the installation says. */
export type OwnSettings = Readonly<Record<WorkspaceSettingName, number | null>>;

/** What holds for a workspace. */
export type EffectiveSettings = InstallationSettings;

/** What operators of the installation let no workspace go below. */
export interface SettingFloors {
  readonly auditDays: number;
}

/** Where a value comes from. */
export const settingSources = ['installation', 'workspace'] as const;
export type SettingSource = (typeof settingSources)[number];

export function sourceOf(own: OwnSettings, name: WorkspaceSettingName): SettingSource {
  return own[name] === null ? 'installation' : 'workspace';
}

/** A floor that was raised later holds for what was set before, too. */
export function effectiveSettings(
  installation: InstallationSettings,
  own: OwnSettings,
  floors: SettingFloors,
): EffectiveSettings {
  const given = Object.fromEntries(workspaceSettingNames.map((name) => [name, own[name] ?? installation[name]]));
  // Each name has one of the two values, and those of the installation have the type.
  const effective = given as InstallationSettings;
  return { ...effective, auditDays: Math.max(effective.auditDays, floors.auditDays) };
}
