// What one of the operator's commands is: its name, its help and what it runs. `run-command.ts` lists them.

import { resolve } from 'node:path';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import type { AppContext } from '../../actions/core/context.ts';
import { readConfig } from '../config.ts';
import type { EnvironmentVariables } from '../setting-reader.ts';
import { withAdminContext } from './admin-context.ts';

export type Print = (line: string) => void;

/** What a command is called with. */
export interface Invocation {
  /** The words after the command's name. */
  readonly args: readonly string[];
  readonly environment: EnvironmentVariables;
  /** Prints a line of what the command has found or done. */
  readonly print: Print;
}

export interface Command {
  readonly name: string;
  /** The words that may follow the name, such as `[<client_id>]`. */
  readonly usage: string;
  /** What it does, in one line. */
  readonly summary: string;
  /** What its own help says besides. */
  readonly details?: readonly string[];
  /** Returns whether it has succeeded; throws `Misuse` if it was called with words that it does not know. */
  run(invocation: Invocation): Promise<boolean>;
}

/** The command was called in a way that it does not offer; its usage is shown. */
export class Misuse extends Error {
  override readonly name = 'Misuse';
}

/** For a command that works on the database of the settings, which must be there and of this release. */
export function onDatabase(
  run: (context: AppContext, args: readonly string[], print: Print) => Promise<boolean>,
): Command['run'] {
  return ({ args, environment, print }) =>
    withAdminContext(readConfig(environment), (context) => run(context, args, print));
}

type Options = NonNullable<ParseArgsConfig['options']>;
type Parsed<O extends Options> = ReturnType<
  typeof parseArgs<{ args: string[]; options: O; strict: true; allowPositionals: false }>
>['values'];

/** Reads `--name value` and `--name`; every other word is a misuse. */
export function readOptions<const O extends Options>(args: readonly string[], options: O): Parsed<O> {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw error instanceof TypeError ? new Misuse(error.message) : error;
  }
}

/** Takes `--json` out of the words, for a command that also prints what it has found for a program. */
export function takeJson(args: readonly string[]): { readonly json: boolean; readonly rest: readonly string[] } {
  return { json: args.includes('--json'), rest: args.filter((word) => word !== '--json') };
}

/** One JSON text, on several lines. */
export function printJson(print: Print, value: object): void {
  print(JSON.stringify(value, undefined, 2));
}

/** Reads a path as seen from where the operator typed the command: npm runs it from the folder of the package. */
export function resolvePath(path: string, { INIT_CWD: typedIn }: EnvironmentVariables): string {
  return resolve(typedIn ?? '.', path);
}
