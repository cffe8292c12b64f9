// Connects an example with the service that the environment names.

import { Holdfast } from '@holdfast/sdk';

/** What stops a program is said in a line: a trace is of no use to whoever runs it. */
process.on('uncaughtException', (error) => {
  console.error(String(error));
  process.exit(1);
});

export function readSetting(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`Set ${name} in the environment.`);
  return value;
}

/** A program that only reads asks for no more than `read`. */
export function connect(program: string, scope: 'read' | 'read write'): Holdfast {
  return new Holdfast({
    url: readSetting('HOLDFAST_URL'),
    clientId: readSetting('HOLDFAST_CLIENT_ID'),
    clientSecret: readSetting('HOLDFAST_CLIENT_SECRET'),
    scope,
    userAgent: program,
  });
}
