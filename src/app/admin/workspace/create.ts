// `workspace create`: makes a workspace with its environments, their administering applications and links to become an administrator.

import { createWorkspace, type NewWorkspace } from '../../../actions/access/workspace.ts';
import type { AppContext } from '../../../actions/core/context.ts';
import { makePrintedLink } from '../../../actions/people/administrator.ts';
import type { Environment } from '../../../model/access/scope.ts';
import { SettingFault } from '../../setting-reader.ts';
import { linkJson } from '../../first-secret-file.ts';
import { Misuse, onDatabase, printJson, readOptions, type Command, type Print } from '../command.ts';

export const createCommand: Command = {
  name: 'create',
  usage: '<name> [--client-id <client_id>] [--json]',
  summary: 'creates a workspace; prints its secrets once',
  run: onDatabase(create),
};

const nameLengthMax = 200;

/** The name of a new workspace, as it is kept. */
export function readWorkspaceName(name: string): string {
  if (name.trim() === '' || name.startsWith('-') || name.length > nameLengthMax)
    throw new Misuse(`Give the workspace a name of at most ${nameLengthMax} characters.`);
  return name.trim();
}

/** The same as for the setting BOOTSTRAP_CLIENT_ID. */
const clientIdPattern = /^[\x21-\x7e]{1,255}$/;

async function create(context: AppContext, [name = '', ...args]: readonly string[], print: Print): Promise<boolean> {
  const { 'client-id': clientId, json = false } = readOptions(args, {
    'client-id': { type: 'string' },
    json: { type: 'boolean' },
  });
  const kept = readWorkspaceName(name);
  if (clientId !== undefined && !clientIdPattern.test(clientId))
    throw new Misuse('--client-id must have 1 to 255 printable characters without spaces.');
  if (clientId !== undefined && (await context.stores.preAuth.findApplication(clientId)) !== undefined)
    throw new SettingFault(`Another application already has the client_id ${clientId}.`);
  const { id, applications } = await createWorkspace(context, { name: kept, clientId });
  const made = await makeSecrets(context, { id, applications });
  if (json) {
    printJson(print, { id, name: kept, environments: made });
    return true;
  }
  print(`Workspace ${id} "${kept}" was created. Save what follows, it is shown only once.`);
  printSecrets(print, made);
  return true;
}

/** What the first user of an environment needs, as programs read it. */
interface EnvironmentSecrets extends ReturnType<typeof linkJson> {
  readonly environment: Environment;
  readonly client_id: string;
  readonly client_secret: string;
}

export async function makeSecrets(
  context: AppContext,
  { id, applications }: NewWorkspace,
): Promise<readonly EnvironmentSecrets[]> {
  const made = [];
  for (const { environment, clientId: madeId, clientSecret } of applications)
    made.push({
      environment,
      client_id: madeId,
      client_secret: clientSecret,
      ...linkJson(await makePrintedLink(context, { workspaceId: id, environment })),
    });
  return made;
}

export function printSecrets(print: Print, made: readonly EnvironmentSecrets[]): void {
  for (const one of made) {
    print(`${one.environment}:`);
    print(`  client_id      ${one.client_id}`);
    print(`  client_secret  ${one.client_secret}`);
    print(
      `  Whoever opens this link first and signs in becomes an administrator, until ${one.administrator_link_expires_at}:`,
    );
    print(`  ${one.administrator_link}`);
  }
}
