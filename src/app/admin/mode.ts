// The command `mode`: shows or sets the mode of the whole service, which all nodes follow within seconds.

import { parseStoredMode, writeStoredMode } from '../../actions/core/stored-mode.ts';
import { systemClock } from '../../kit/clock.ts';
import {
  modeMessageLengthMax,
  momentInUtc,
  normalMode,
  serviceModes,
  type ModeNotice,
} from '../../model/operations/service-mode.ts';
import { putOperatorMode, readOperatorMode } from '../../store/postgres/operator-mode.ts';
import { readConfig } from '../config.ts';
import { isModeMessage, modeMessageForm, modeUntilForm, parseMoment } from '../mode-setting.ts';
import { withAdminDatabase } from './admin-context.ts';
import { Misuse, printJson, readOptions, takeJson, type Command, type Print } from './command.ts';

export const modeCommand: Command = {
  name: 'mode',
  usage: '[normal|read-only|maintenance] [--message TEXT] [--until MOMENT] [--json]',
  summary: 'shows or sets whether the service changes anything (read-only) or answers anybody at all (maintenance)',
  details: [
    'read-only: everything can be read and tokens are issued; changes get 503, and background work stands still.',
    'maintenance: every request gets 503, and browsers are shown a page that says so.',
    `--message is what callers and people are told, one line of at most ${modeMessageLengthMax} characters.`,
    '--until is when you expect it to end, such as 2026-11-20T06:00Z. The mode lasts until you set another one.',
    'All nodes follow within seconds. A node whose setting MODE is stricter keeps that.',
  ],
  async run({ args, environment, print }) {
    const { json, rest } = takeJson(args);
    const wanted = readWanted(rest);
    return withAdminDatabase(readConfig(environment), async (connection) => {
      if (wanted !== undefined) await putOperatorMode(connection, writeStoredMode(wanted));
      const stored = parseStoredMode(await readOperatorMode(connection));
      if (json) printJson(print, notedOf(stored));
      else describe(stored, wanted === undefined ? 'is' : 'is from now on', print);
      return true;
    });
  },
};

/** Undefined if the mode is only to be shown. */
function readWanted([name, ...words]: readonly string[]): ModeNotice | undefined {
  if (name === undefined) return undefined;
  const mode = serviceModes.find((one) => one === name);
  if (mode === undefined) throw new Misuse(`There is no mode ${name}. Name one of ${serviceModes.join(', ')}.`);
  const { message, until } = readOptions(words, { message: { type: 'string' }, until: { type: 'string' } });
  if (message !== undefined && !isModeMessage(message)) throw new Misuse(`--message must be ${modeMessageForm}.`);
  const end = until === undefined ? undefined : parseMoment(until);
  if (until !== undefined && end === undefined) throw new Misuse(`--until must be ${modeUntilForm}.`);
  if (end !== undefined && end <= systemClock.now())
    throw new Misuse(`--until is ${momentInUtc(end)}, which has passed.`);
  if (mode !== 'normal') return { mode, message: message ?? null, until: end ?? null };
  if (message !== undefined || until !== undefined)
    throw new Misuse('In the mode normal nobody is told anything: leave --message and --until out.');
  return normalMode;
}

function notedOf({ mode, message, until }: ModeNotice): object {
  return { mode, message, until: until === null ? null : new Date(until).toISOString() };
}

function describe({ mode, message, until }: ModeNotice, verb: string, print: Print): void {
  const meanings: Readonly<Record<ModeNotice['mode'], string>> = {
    normal: 'everything works',
    'read-only': 'changes are refused, everything can be read',
    maintenance: 'every request is refused, and browsers are shown a page that says so',
  };
  print(`The mode ${verb} ${mode}: ${meanings[mode]}.`);
  if (message !== null) print(`  message  ${message}`);
  if (until !== null) print(`  until    ${momentInUtc(until)}`);
  if (mode !== 'normal') print('Nodes follow within seconds. `holdfast mode normal` ends it.');
}
