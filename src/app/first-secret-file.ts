// Keeps the secrets of a first start in a file that only its owner reads, in place of the output, which is often kept as a log.

import { open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FirstApplication } from '../actions/access/bootstrap.ts';
import type { PrintedLink } from '../actions/people/administrator.ts';
import { syncFolder } from '../store/postgres/embedded/folders.ts';
import { SettingFault } from './setting-reader.ts';

export interface FirstSecrets {
  readonly application: FirstApplication | undefined;
  readonly link: PrintedLink | undefined;
}

function toJson({ application, link }: FirstSecrets): object | null {
  if (application === undefined) return null;
  return {
    workspace_id: application.workspaceId,
    environment: application.environment,
    client_id: application.clientId,
    client_secret: application.clientSecret,
    ...(link === undefined ? { administrator_link: null, administrator_link_expires_at: null } : linkJson(link)),
  };
}

/** A link with which a person becomes an administrator, as programs read it. */
export function linkJson({ link, expiresAt }: PrintedLink): {
  readonly administrator_link: string;
  readonly administrator_link_expires_at: string;
} {
  return { administrator_link: link, administrator_link_expires_at: new Date(expiresAt).toISOString() };
}

/**
 * Opens the file before `create` makes any secret, so that none is lost because it cannot be written. A file that exists is never overwritten:
 * it may hold the secrets of another deployment.
 */
export async function withFirstSecretFile<T extends { readonly first: FirstSecrets; readonly demo: FirstSecrets }>(
  path: string,
  create: () => Promise<T>,
): Promise<T> {
  const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new SettingFault(
      error.code === 'EEXIST'
        ? `FIRST_SECRET_FILE is ${path}, which exists already and is never overwritten. Nothing was created. Move it away, or name another file.`
        : `FIRST_SECRET_FILE is ${path}, which cannot be written: ${error.message}. Nothing was created.`,
      { cause: error },
    );
  });
  try {
    const created = await create();
    const content = { first: toJson(created.first), demo: toJson(created.demo) };
    await file.writeFile(`${JSON.stringify(content, undefined, 2)}\n`);
    await file.sync();
    await syncFolder(dirname(path));
    return created;
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}
