// Everything that is served, in one list: the router and the reference are made from it.

import type { House } from '../actions/house.ts';
import { deskOperations } from './http/desk.ts';
import type { Metrics } from './http/metrics.ts';
import type { OpenOperation } from './http/open-operation.ts';
import type { Operation } from './http/operation.ts';
import { referenceOperations } from './http/reference.ts';
import type { Wire } from './http/wire.ts';
import { structurePaths as jsonApiStructurePaths } from './json-api/structure.ts';
import { jsonApi } from './json-api/wire.ts';
import { clientPaths as plainClientPaths } from './plain/client.ts';
import { keyPaths as plainKeyPaths } from './plain/key.ts';
import { plain } from './plain/wire.ts';
import { flowA } from './token/flow-a.ts';
import { oauthToken } from './token/oauth-token.ts';
import { applicationPaths } from './v1/application.ts';
import { auditLogPaths } from './v1/audit-log.ts';
import { keyPaths as v1KeyPaths } from './v1/key.ts';
import { mePath } from './v1/me.ts';
import { structurePaths as v1StructurePaths } from './v1/structure.ts';
import { v1 } from './v1/wire.ts';

export const operations: readonly Operation[] = [
  ...jsonApiStructurePaths,
  ...plainClientPaths,
  ...plainKeyPaths,
  ...v1StructurePaths,
  mePath,
  ...applicationPaths,
  ...v1KeyPaths,
  ...auditLogPaths,
];

export function openOperations(house: House, metrics: Metrics): readonly OpenOperation[] {
  const open = [flowA(house), oauthToken(house), ...deskOperations(house, metrics)];
  return [...open, ...referenceOperations(house.addresses, { operations, openOperations: open })];
}

/** The wire that speaks for an address under which nothing is served. */
export function wireFor(path: string): Wire {
  if (/^\/api(\/|\?|$)/.test(path)) return jsonApi;
  return /^\/v[23](\/|\?|$)/.test(path) ? plain : v1;
}
