// Credentials by profile, in a file that only its owner can read.

import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommandError, exitCodes } from './exit-codes.ts';

export interface Profile {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

type Profiles = Readonly<Record<string, Profile>>;

type Environment = Readonly<Record<string, string | undefined>>;

/** `HOLDFAST_CONFIG`, else the folder for settings of the system. */
export function profilesFile(environment: Environment = process.env): string {
  const { HOLDFAST_CONFIG: own, XDG_CONFIG_HOME: xdg, APPDATA: appData } = environment;
  if (own !== undefined && own !== '') return own;
  const folder = xdg || (process.platform === 'win32' ? appData : undefined) || join(homedir(), '.config');
  return join(folder, 'holdfast', 'profiles.json');
}

async function readProfiles(): Promise<Profiles> {
  try {
    return JSON.parse(await readFile(profilesFile(), 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw new CommandError(`${profilesFile()} cannot be read: ${String(error)}. Correct or delete it.`);
  }
}

export async function saveProfile(name: string, profile: Profile): Promise<void> {
  await writeProfiles({ ...(await readProfiles()), [name]: profile });
}

export async function deleteProfile(name: string): Promise<boolean> {
  const { [name]: found, ...others } = await readProfiles();
  if (found !== undefined) await writeProfiles(others);
  return found !== undefined;
}

/** Written beside and renamed, so that no moment has half a file or one that others can read. */
async function writeProfiles(profiles: Profiles): Promise<void> {
  const file = profilesFile();
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const written = `${file}.${process.pid}`;
  await writeFile(written, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 });
  await chmod(written, 0o600);
  await rename(written, file);
}

export async function getProfile(name: string): Promise<Profile> {
  const found = Object.entries(await readProfiles()).find(([known]) => known === name)?.[1];
  if (found !== undefined) return found;
  const words = name === 'default' ? 'holdfast login' : `holdfast login --profile ${name}`;
  throw new CommandError(`You are not signed in. Run \`${words}\` first.`, exitCodes.notSignedIn);
}
