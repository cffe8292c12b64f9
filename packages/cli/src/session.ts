// What every command works with: the client of the service, and how to print.

import { Holdfast } from '@holdfast/sdk';
import type { Command } from 'commander';
import { CommandError } from './exit-codes.ts';
import { Printer } from './output/printer.ts';
import { getProfile } from './profiles.ts';

export interface GlobalOptions {
  readonly profile: string;
  readonly url?: string;
  readonly json?: true;
}

export interface Session {
  readonly holdfast: Holdfast;
  readonly print: Printer;
}

export const localUrl = 'http://127.0.0.1:8080';
export const programName = 'holdfast-cli/0.2.0';

export function globalOptions(command: Command): GlobalOptions {
  return command.optsWithGlobals();
}

/** Credentials come from the environment, else from the profile. */
export async function openSession(command: Command): Promise<Session> {
  const options = globalOptions(command);
  const print = new Printer(options.json === true);
  const {
    HOLDFAST_URL: url,
    HOLDFAST_TOKEN: token,
    HOLDFAST_CLIENT_ID: clientId,
    HOLDFAST_CLIENT_SECRET: clientSecret,
  } = process.env;
  const address = options.url ?? url;
  const shared = { userAgent: programName };
  if (token) return { holdfast: new Holdfast({ ...shared, url: address ?? localUrl, token }), print };
  if (clientId && clientSecret)
    return { holdfast: new Holdfast({ ...shared, url: address ?? localUrl, clientId, clientSecret }), print };
  const profile = await getProfile(options.profile);
  // A secret is sent only to the service that it belongs to, whatever else is named.
  if (address !== undefined && address.replace(/(?<!\/)\/+$/, '') !== profile.url) {
    throw new CommandError(
      `The profile ${options.profile} is for ${profile.url}. Sign in to ${address} with another --profile.`,
    );
  }
  return { holdfast: new Holdfast({ ...shared, ...profile }), print };
}
