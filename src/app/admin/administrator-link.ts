// The command `administrator-link`: prints a link with which whoever signs in becomes an administrator, for an operator whose workspace has none.

import { findFirstTenant } from '../../actions/access/bootstrap.ts';
import { makePrintedLink } from '../../actions/people/administrator.ts';
import type { AppContext } from '../../actions/core/context.ts';
import { environments, type Tenant } from '../../model/access/scope.ts';
import { SettingFault } from '../setting-reader.ts';
import { linkJson } from '../first-secret-file.ts';
import { Misuse, onDatabase, printJson, takeJson, type Command, type Print } from './command.ts';

export const administratorLinkCommand: Command = {
  name: 'administrator-link',
  usage: '[<workspace_id>/<environment>] [--json]',
  summary: 'prints a link to become an administrator, of the first workspace if none is named',
  run: onDatabase(administratorLink),
};

async function findTenant(context: AppContext, name: string | undefined): Promise<Tenant> {
  if (name === undefined) {
    const first = await findFirstTenant(context);
    if (first !== undefined) return first;
    throw new SettingFault('There is no workspace yet. Start the service on an empty database to create one.');
  }
  const tenants = await context.stores.preAuth.listEnvironments();
  const found = tenants.find(({ workspaceId, environment }) => `${workspaceId}/${environment}` === name);
  if (found !== undefined) return found;
  throw new SettingFault(
    `There is no workspace and environment ${name}. Name one as <workspace_id>/<environment>, with one of: ${environments.join(', ')}.`,
  );
}

async function administratorLink(context: AppContext, args: readonly string[], print: Print): Promise<boolean> {
  const { json, rest } = takeJson(args);
  const [name, ...others] = rest;
  if (others.length > 0) throw new Misuse('Name one workspace at most.');
  const { workspaceId, environment } = await findTenant(context, name);
  const { link, expiresAt } = await makePrintedLink(context, { workspaceId, environment });
  if (json) {
    printJson(print, { workspace_id: workspaceId, environment, ...linkJson({ link, expiresAt }) });
    return true;
  }
  print(
    `Whoever opens this link first and signs in becomes an administrator of the workspace ${workspaceId} (${environment}).`,
  );
  print(`It works once, until ${new Date(expiresAt).toISOString()}. Links that were printed before no longer work:`);
  print(`  ${link}`);
  return true;
}
