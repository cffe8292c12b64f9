// To whom a command encrypts what it writes (`--recipient`), and what opens what it reads (`--identity`).

import { readFile } from 'node:fs/promises';
import { AgeFault, identityFault, recipientFault } from '../../kit/files/age.ts';
import type { EnvironmentVariables } from '../setting-reader.ts';
import { Misuse, resolvePath } from './command.ts';

export const recipientOptions = { recipient: { type: 'string', multiple: true } } as const;
export const identityOptions = { identity: { type: 'string' } } as const;

/** Those of the command, else those of the settings. */
export function readRecipients(named: readonly string[] | undefined, usual: readonly string[]): readonly string[] {
  for (const recipient of named ?? []) {
    const fault = recipientFault(recipient);
    if (fault !== undefined) throw new Misuse(fault);
  }
  return named ?? usual;
}

/** Each line of the file is an identity, is empty, or begins with `#`. */
export async function readIdentities(
  path: string | undefined,
  environment: EnvironmentVariables,
): Promise<readonly string[]> {
  if (path === undefined) return [];
  const text = await readFile(resolvePath(path, environment), 'utf8').catch((error: Error) => {
    throw new AgeFault(`The identity cannot be read: ${error.message}`, { cause: error });
  });
  if (text.startsWith('age-encryption.org/') || text.startsWith('-----BEGIN AGE'))
    throw new AgeFault(
      `${path} is itself encrypted. Decrypt it on the way: age --decrypt ${path} | holdfast … --identity /dev/stdin`,
    );
  const lines = text.split('\n').map((line) => line.trim());
  const identities = lines.filter((line) => line !== '' && !line.startsWith('#'));
  for (const [index, line] of lines.entries()) {
    const fault = identities.includes(line) ? identityFault(line) : undefined;
    if (fault !== undefined) throw new AgeFault(`${path}, line ${index + 1}: it ${fault}.`);
  }
  if (identities.length === 0) throw new AgeFault(`${path} holds no identity.`);
  return identities;
}
