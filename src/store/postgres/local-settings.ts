// Settings that end with their transaction, in the form that the server passes on: PostgreSQL takes them from a function within any statement;
// servers that spread tables over others (Citus) pass on only `SET LOCAL`, only between BEGIN and COMMIT.

import pg from 'pg';
import { assert } from '../../kit/assert.ts';
import { memoizedText, sql, type Call } from './statement.ts';

/** `function` costs less: several settings share a statement with what else is asked. `command` is one statement for each. */
export type SettingForm = 'function' | 'command';

const setOne = sql('set-one', 'SELECT set_config($1, $2, true)');

/** Names are ours; what a value contains does not matter. */
export function setLocalText(name: string, value: string): string {
  assert(/^[a-z_0-9]+(\.[a-z_0-9]+)?$/.test(name), 'a setting has a plain name');
  return `SET LOCAL ${name} = ${quoteLiteral(value)}`;
}

/** Quotes a value as an SQL literal, whatever `standard_conforming_strings` says. */
export function quoteLiteral(value: string): string {
  if (value.includes('\0')) throw new Error('A setting cannot contain the character 0.');
  return pg.escapeLiteral(value).trim();
}

/** A value of which there are many: its command is prepared under no name. */
export function settingCall(form: SettingForm, name: string, value: string): Call {
  if (form === 'function') return { statement: setOne, values: [name, value] };
  return { statement: { name: '', text: setLocalText(name, value) }, values: [] };
}

/** A value of which there are few: its command is prepared once on each connection. */
export function fixedSettingCall(form: SettingForm, name: string, value: string): Call {
  if (form === 'function') return settingCall(form, name, value);
  return { statement: memoizedText('set-local', setLocalText(name, value)), values: [] };
}
