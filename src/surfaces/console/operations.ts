// Everything that the console serves. It is for people with a browser, and no part of the API reference.

import type { OpenOperation } from '../http/open-operation.ts';
import { consoleOperation, type ConsoleParts, type ConsolePath } from './console-path.ts';
import { invitePaths } from './invite-pages.ts';
import { overviewPaths } from './overview-page.ts';
import { signInPaths } from './sign-in-pages.ts';
import { signOutPaths } from './sign-out-pages.ts';
import { styleOperation } from './style.ts';

const paths: readonly ConsolePath[] = [...overviewPaths, ...invitePaths, ...signInPaths, ...signOutPaths];

export function consoleOperations(parts: ConsoleParts): readonly OpenOperation[] {
  return [styleOperation, ...paths.map((path) => consoleOperation(parts, path))];
}
