// The command `version`: prints what is running. Needs no settings and no database.

import { readRelease } from '../release.ts';
import { readOptions, type Command } from './command.ts';

export const versionCommand: Command = {
  name: 'version',
  usage: '',
  summary: 'prints the release, its commit, its Node.js and the schema that it expects',
  async run({ args, print }) {
    readOptions(args, {});
    const { version, commit, node, migrationName } = await readRelease();
    print(`holdfast  ${version}`);
    print(`commit    ${commit ?? 'unknown'}`);
    print(`node      ${node}`);
    print(`schema    ${migrationName}`);
    return true;
  },
};
