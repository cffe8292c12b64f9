// Reads the mode that a node has from its start: MODE, with what callers are told.

import { modeMessageLengthMax, serviceModes, type ModeNotice } from '../model/operations/service-mode.ts';
import type { SettingReader } from './setting-reader.ts';

export const modeMessageForm = `one line of at most ${modeMessageLengthMax} characters`;
export const modeUntilForm = 'a moment with its time zone, such as 2026-11-20T06:00Z';

export function isModeMessage(text: string): boolean {
  return text.length <= modeMessageLengthMax && !/\p{Cc}/u.test(text);
}

/** Undefined if the text is no moment, or does not say its time zone. */
export function parseMoment(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)$/.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}

export function readModeSetting(reader: SettingReader): ModeNotice {
  const until = reader.checked('MODE_UNTIL', modeUntilForm, (text) => parseMoment(text) !== undefined);
  return {
    mode: reader.oneOf('MODE', serviceModes, 'normal'),
    message: reader.checked('MODE_MESSAGE', modeMessageForm, isModeMessage) ?? null,
    until: until === undefined ? null : (parseMoment(until) ?? null),
  };
}
