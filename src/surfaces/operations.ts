// Everything that is served, in one list: the router and the reference are made from it.

import type { House } from '../actions/house.ts';
import { deskOperations } from './http/desk.ts';
import type { Metrics } from './http/metrics.ts';
import type { OpenOperation } from './http/open-operation.ts';
import type { Operation } from './http/operation.ts';
import { referenceOperations } from './http/reference.ts';
import type { Wire } from './http/wire.ts';
import { clientPaths as jsonApiClientPaths } from './json-api/client.ts';
import { jsonApi } from './json-api/wire.ts';
import { clientPaths as plainClientPaths } from './plain/client.ts';
import { keyPaths as plainKeyPaths } from './plain/key.ts';
import { plain } from './plain/wire.ts';
import { flowA } from './token/flow-a.ts';
import { oauthToken } from './token/oauth-token.ts';
import { applicationPaths } from './v1/application.ts';
import { auditLogPaths } from './v1/audit-log.ts';
import { clientPaths as v1ClientPaths } from './v1/client.ts';
import { keyPaths as v1KeyPaths } from './v1/key.ts';
import { mePath } from './v1/me.ts';
import { v1 } from './v1/wire.ts';

export const operations: readonly Operation[] = [
  ...jsonApiClientPaths,
  ...plainClientPaths,
  ...plainKeyPaths,
  ...v1ClientPaths,
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
