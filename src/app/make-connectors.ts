// Builds the connectors that fetch data from custodians.

import { CustodianHttp } from '../gateways/connectors/custodian-http.ts';
import { FileDropConnector } from '../gateways/connectors/file-drop.ts';
import { OauthPullConnector } from '../gateways/connectors/oauth-pull.ts';
import { secondMs, type Clock } from '../kit/clock.ts';
import type { Connector, Connectors } from '../model/custody/connector.ts';
import type { Config } from './config.ts';

/** The same as for a file that is sent in a request. */
const fileBytesMax = 1024 * 1024 * 1024;
const fileQuietMs = 5 * secondMs;

export function makeConnectors({ config, clock }: { readonly config: Config; readonly clock: Clock }): Connectors {
  const http = new CustodianHttp({ allowPrivate: config.allowsPrivateWebhooks, timeoutMs: config.feeds.timeoutMs });
  const { importDir, importTakenDir } = config.feeds;
  const connectors: readonly Connector[] = [
    new OauthPullConnector({ http, clock }),
    new FileDropConnector({
      folders: importDir === undefined ? undefined : { dropped: importDir, taken: importTakenDir },
      clock,
      bytesMax: fileBytesMax,
      quietMs: fileQuietMs,
    }),
  ];
  return new Map(connectors.map((connector) => [connector.kind, connector]));
}
