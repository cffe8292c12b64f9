// `workspace settings`: shows and changes what a workspace may use, and for how long its rows are kept.

import { changeSettings, readWorkspaceSettings } from '../../../actions/access/workspace.ts';
import type { SettingState } from '../../../actions/access/workspace-settings.ts';
import type { AppContext } from '../../../actions/core/context.ts';
import {
  workspaceSettingNames,
  workspaceSettings,
  type WorkspaceSettingName,
} from '../../../model/access/workspace-settings.ts';
import { snakeCase } from '../../../kit/resource.ts';
import { Misuse, onDatabase, printJson, readOptions, type Command, type Print } from '../command.ts';
import { printTable } from '../print-table.ts';
import { noWorkspace, splitWorkspaceId } from './named-workspace.ts';

const optionsUsage = workspaceSettingNames.map((name) => {
  const { option, unit } = workspaceSettings[name];
  return `[--${option} <${unit.name}>]`;
});

export const settingsCommand: Command = {
  name: 'settings',
  usage: `<workspace_id> ${optionsUsage.join(' ')} [--default] [--json]`,
  summary:
    'shows or changes what a workspace may use and for how long its rows are kept; `default` as a value, or --default for all that are not named: as the installation says',
  run: onDatabase(settings),
};

type Texts = Readonly<Record<string, string | boolean | undefined>>;

function readChanges(texts: Texts, floorDays: number): Partial<Record<WorkspaceSettingName, number | null>> {
  const changes = workspaceSettingNames.flatMap((name): [WorkspaceSettingName, number | null][] => {
    const { option, unit, min, max } = workspaceSettings[name];
    const text = texts[option];
    if (text === undefined) return texts['default'] === true ? [[name, null]] : [];
    if (text === 'default') return [[name, null]];
    const least = name === 'auditDays' ? Math.max(min, floorDays) : min;
    const value = /^\d{1,9}$/.test(String(text)) ? Number(text) : Number.NaN;
    if (value >= least && value <= max) return [[name, value * unit.size]];
    throw new Misuse(
      `--${option} must be a whole number from ${least} to ${max} (${unit.name}), or default. It is ${JSON.stringify(text)}.`,
    );
  });
  return Object.fromEntries(changes);
}

async function settings(context: AppContext, args: readonly string[], print: Print): Promise<boolean> {
  const { id, rest } = splitWorkspaceId(args);
  const named = workspaceSettingNames.map((name) => [workspaceSettings[name].option, { type: 'string' }] as const);
  const texts: Texts = readOptions(rest, {
    ...Object.fromEntries(named),
    default: { type: 'boolean' },
    json: { type: 'boolean' },
  });
  const changes = readChanges(texts, context.settingFloors.auditDays);
  if (Object.keys(changes).length > 0) {
    const words = rest.filter((word) => word !== '--json').join(' ');
    const change = await changeSettings(context, id, { changes, command: `workspace settings ${words}` });
    if (change === undefined) throw noWorkspace(id);
  }
  const environments = await readWorkspaceSettings(context, id);
  if (environments === undefined) throw noWorkspace(id);
  if (texts['json'] === true) printJson(print, environments.map(toJson));
  else printTable(print, ['setting', 'environment', 'value', 'source', 'used'], environments.flatMap(toRows));
  return true;
}

interface Shown {
  readonly environment: string;
  readonly settings: readonly SettingState[];
}

function toJson({ environment, settings: states }: Shown): object {
  return {
    environment,
    settings: states.map(({ name, value, source, used }) => ({ name: snakeCase(name), value, source, used })),
  };
}

/** In the units of the options. */
function toRows({ environment, settings: states }: Shown): string[][] {
  return states.map(({ name, value, source, used }) => {
    const { option, unit } = workspaceSettings[name];
    const figure = (count: number | null, none: string): string =>
      count === null ? none : String(Math.ceil((count / unit.size) * 10) / 10);
    return [option, environment, figure(value, 'none'), source, figure(used, '')];
  });
}
