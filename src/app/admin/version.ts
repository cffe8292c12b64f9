// The command `version`: prints what is running. Needs no settings and no database.

import { readRelease } from '../release.ts';
import { printJson, readOptions, type Command } from './command.ts';

export const versionCommand: Command = {
  name: 'version',
  usage: '[--json]',
  summary: 'prints the release, its commit, its Node.js and the schema that it expects',
  async run({ args, print }) {
    const { json = false } = readOptions(args, { json: { type: 'boolean' } });
    const { version, commit, node, migrationName } = await readRelease();
    if (json) {
      printJson(print, { release: version, commit: commit ?? null, node, schema: migrationName });
      return true;
    }
    print(`holdfast  ${version}`);
    print(`commit    ${commit ?? 'unknown'}`);
    print(`node      ${node}`);
    print(`schema    ${migrationName}`);
    return true;
  },
};
