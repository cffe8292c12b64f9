// Signs in: asks for credentials, tries them, and keeps them for the commands to come.

import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { Holdfast } from '@holdfast/sdk';
import type { Command } from 'commander';
import { CommandError } from '../exit-codes.ts';
import { Printer } from '../output/printer.ts';
import { deleteProfile, profilesFile, saveProfile } from '../profiles.ts';
import { globalOptions, localUrl, openSession, programName } from '../session.ts';

interface LoginOptions {
  readonly clientId?: string;
  readonly secretStdin?: true;
}

async function readInput(): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of process.stdin) pieces.push(piece);
  return Buffer.concat(pieces).toString().trim();
}

/** Asks on the terminal; what is typed for a secret is not shown. */
async function ask(question: string, isSecret: boolean): Promise<string> {
  if (!process.stdin.isTTY)
    throw new CommandError(
      'There is no terminal to ask on: set HOLDFAST_CLIENT_ID and pass the secret with --secret-stdin.',
    );
  let isMuted = false;
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (!isMuted) process.stderr.write(chunk);
      done();
    },
  });
  const asking = createInterface({ input: process.stdin, output, terminal: true });
  const answer = asking.question(question);
  isMuted = isSecret;
  try {
    return (await answer).trim();
  } finally {
    asking.close();
    if (isSecret) process.stderr.write('\n');
  }
}

/** Whether somebody on the way could read what is sent. */
export function isReadableOnTheWay(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !/^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

const timeoutMs = 15_000;

async function login({ clientId: given, secretStdin }: LoginOptions, command: Command): Promise<void> {
  const { profile, url, json } = globalOptions(command);
  const { HOLDFAST_URL, HOLDFAST_CLIENT_ID, HOLDFAST_CLIENT_SECRET } = process.env;
  const address = (url ?? HOLDFAST_URL ?? localUrl).replace(/(?<!\/)\/+$/, '');
  if (!URL.canParse(address) || !/^https?:/.test(address))
    throw new CommandError(`${address} is not an address of the web.`);
  if (isReadableOnTheWay(address))
    process.stderr.write('Warning: over http: the secret can be read on the way. Use https.\n');
  const clientId = given ?? HOLDFAST_CLIENT_ID ?? (await ask('Client id: ', false));
  const clientSecret = secretStdin
    ? await readInput()
    : (HOLDFAST_CLIENT_SECRET ?? (await ask('Client secret: ', true)));
  if (clientId === '' || clientSecret === '') throw new CommandError('A client id and a client secret are needed.');
  const me = await new Holdfast({
    url: address,
    clientId,
    clientSecret,
    userAgent: programName,
    timeoutMs,
    retries: 1,
  }).me.get();
  await saveProfile(profile, { url: address, clientId, clientSecret });
  const print = new Printer(json === true);
  if (print.isJson) print.json({ profile, url: address, ...me });
  else
    print.line(
      `Signed in to ${address} (${me.environment}, rights: ${me.rights.join(', ')}). Kept in ${profilesFile()}.`,
    );
}

async function logout(_options: unknown, command: Command): Promise<void> {
  const { profile, json } = globalOptions(command);
  const isDeleted = await deleteProfile(profile);
  const print = new Printer(json === true);
  if (print.isJson) print.json({ profile, deleted: isDeleted });
  else print.line(isDeleted ? `Forgot the profile ${profile}.` : `There was no profile ${profile}.`);
}

export function addLogin(program: Command): void {
  program
    .command('login')
    .description('sign in with the client id and secret of an application, and keep them')
    .option('--client-id <id>', 'the client id; asked for unless given here or as HOLDFAST_CLIENT_ID')
    .option('--secret-stdin', 'read the secret from standard input; else HOLDFAST_CLIENT_SECRET, else it is asked for')
    .action(login);
  program.command('logout').description('forget the credentials of the profile').action(logout);
  program
    .command('whoami')
    .description('show who you are to the service')
    .action(async (_options: unknown, command: Command) => {
      const { holdfast, print } = await openSession(command);
      print.record(await holdfast.me.get());
    });
}
