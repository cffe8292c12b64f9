// Connects an example with the service that the environment names.

import { Holdfast } from '@holdfast/sdk';

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
