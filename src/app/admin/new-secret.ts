// The command `new-secret`: replaces the secret of an application, for an operator who has lost it.

import { replaceSecretAsOperator } from '../../actions/access/bootstrap.ts';
import type { AppContext } from '../../actions/core/context.ts';
import { SettingFault } from '../setting-reader.ts';
import { Misuse, onDatabase, printJson, takeJson, type Command, type Print } from './command.ts';

export const newSecretCommand: Command = {
  name: 'new-secret',
  usage: '[<client_id>] [--json]',
  summary: "replaces the secret of an application, the first admin's if none is named",
  run: onDatabase(newSecret),
};

async function newSecret(context: AppContext, args: readonly string[], print: Print): Promise<boolean> {
  const { json, rest } = takeJson(args);
  const [clientId, ...others] = rest;
  if (others.length > 0) throw new Misuse('Name one application at most.');
  const replaced = await replaceSecretAsOperator(context, clientId);
  if (replaced === undefined) {
    throw new SettingFault(
      clientId === undefined
        ? 'No application with all clients and the right admin exists. Start the service on an empty database to create one.'
        : `No application has the client_id ${clientId}, or several workspaces have one.`,
    );
  }
  const { name, environment, workspaceId } = replaced;
  if (json) {
    const { clientId: client_id, clientSecret: client_secret } = replaced;
    printJson(print, { workspace_id: workspaceId, environment, name, client_id, client_secret });
    return true;
  }
  print(
    `The application "${name}" (${environment}, workspace ${workspaceId}) has a new secret. The old one no longer works.`,
  );
  print('Save the new one, it is shown only once:');
  print(`  client_id      ${replaced.clientId}`);
  print(`  client_secret  ${replaced.clientSecret}`);
  return true;
}
