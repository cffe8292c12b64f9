// Opens a page of the console.

import { spawn } from 'node:child_process';
import type { Command } from 'commander';
import { openSession } from '../session.ts';

interface OpenOptions {
  readonly print?: true;
}

const openers: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['explorer.exe'],
};

function openInBrowser(address: string): void {
  const [program, ...before] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...before, address], { stdio: 'ignore', detached: true });
  // Without a browser the address on the screen is enough.
  child.on('error', () => undefined);
  child.unref();
}

async function open(page: string | undefined, options: OpenOptions, command: Command): Promise<void> {
  const { holdfast, print } = await openSession(command);
  const path = (page ?? '')
    .split('/')
    .filter((part) => part !== '')
    .map(encodeURIComponent);
  const address = ['docs', 'portal'].includes(path[0] ?? '') ? path : ['console', ...path];
  const whole = `${holdfast.url}/${(path[0] === 'portal' ? [] : address).join('/')}`;
  if (print.isJson) print.json({ address: whole });
  else print.line(whole);
  if (process.stdout.isTTY && !options.print && !print.isJson) openInBrowser(whole);
}

export function addOpen(program: Command): void {
  program
    .command('open [page]')
    .description('open the console at a page, such as imports or clients/01a1df…; or docs, or portal')
    .option('--print', 'only show the address')
    .action(open);
}
