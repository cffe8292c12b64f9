// Everything that is served, in one list: the router and the reference are made from it.

import type { House } from '../actions/core/context.ts';
import { deskOperations } from './http/pipeline/health.ts';
import type { Metrics } from './http/pipeline/metrics.ts';
import type { OpenOperation } from './http/operation/open-operation.ts';
import type { Operation } from './http/operation/operation.ts';
import { referenceOperations } from './http/reference/reference.ts';
import { describeWebhooks } from './v1/events/webhook-reference.ts';
import type { Wire } from './http/operation/wire.ts';
import { historicalHoldingPaths as jsonApiHistoricalHoldingPaths } from './json-api/historical-holding.ts';
import { instrumentClassPaths as jsonApiInstrumentClassPaths } from './json-api/instrument-class.ts';
import { instrumentPaths as jsonApiInstrumentPaths } from './json-api/instrument.ts';
import { lotPaths as jsonApiLotPaths } from './json-api/lot.ts';
import { seriesPointPaths as jsonApiSeriesPointPaths } from './json-api/series-point.ts';
import { structurePaths as jsonApiStructurePaths } from './json-api/structure.ts';
import { transactionPaths as jsonApiTransactionPaths } from './json-api/transaction.ts';
import { userPaths as jsonApiUserPaths } from './json-api/user.ts';
import { performancePaths as jsonApiPerformancePaths } from './json-api/performance.ts';
import { privateMarketPaths as jsonApiPrivateMarketPaths } from './json-api/private-market.ts';
import { webhookKeyPaths as jsonApiWebhookKeyPaths } from './json-api/webhook-key.ts';
import { summarizedPerformancePaths } from './json-api/summarized-performance.ts';
import { jsonApi } from './json-api/wire.ts';
import { clientPaths as plainClientPaths } from './plain/client.ts';
import { holdingPaths as plainHoldingPaths } from './plain/holding.ts';
import { instrumentClassPaths as plainInstrumentClassPaths } from './plain/instrument-class.ts';
import { keyPaths as plainKeyPaths } from './plain/key.ts';
import { lotPaths as plainLotPaths } from './plain/lot.ts';
import { limitPaths as plainLimitPaths } from './plain/limit.ts';
import { seriesPointPaths as plainSeriesPointPaths } from './plain/series-point.ts';
import { transactionPaths as plainTransactionPaths } from './plain/transaction.ts';
import { performancePaths as plainPerformancePaths } from './plain/performance.ts';
import { privateMarketPaths as plainPrivateMarketPaths } from './plain/private-market.ts';
import { userPaths as plainUserPaths } from './plain/user.ts';
import { plain } from './plain/wire.ts';
import { flowA } from './token/flow-a.ts';
import { oauthToken } from './token/oauth-token.ts';
import { allocationPaths } from './v1/reports/allocation.ts';
import { applicationPaths } from './v1/access/application.ts';
import { auditLogPaths } from './v1/access/audit-log.ts';
import { calculationRoundPaths } from './v1/limits/calculation-round.ts';
import { dataQualityPaths } from './v1/reports/data-quality.ts';
import { diagnosticsPath } from './v1/events/diagnostics.ts';
import { eventPaths } from './v1/events/event.ts';
import { explainPaths } from './v1/reports/explain.ts';
import { fxRatePaths } from './v1/instruments/fx-rate.ts';
import { historicalHoldingPaths as v1HistoricalHoldingPaths } from './v1/ledger/historical-holding.ts';
import { holdingPaths as v1HoldingPaths } from './v1/reports/holding.ts';
import { instrumentPaths as v1InstrumentPaths } from './v1/instruments/instrument.ts';
import { invitePaths } from './v1/people/invite.ts';
import { keyPaths as v1KeyPaths } from './v1/access/key.ts';
import { limitPaths as v1LimitPaths } from './v1/limits/limit.ts';
import { lotPaths as v1LotPaths } from './v1/reports/lot.ts';
import { mePath } from './v1/access/me.ts';
import { realisedGainPaths } from './v1/reports/realised-gain.ts';
import { restatementPaths } from './v1/reports/restatement.ts';
import { seriesPointPaths as v1SeriesPointPaths } from './v1/instruments/series-point.ts';
import { structurePaths as v1StructurePaths } from './v1/structure/structure.ts';
import { transactionPaths as v1TransactionPaths } from './v1/ledger/transaction-paths.ts';
import { performancePaths as v1PerformancePaths } from './v1/reports/performance.ts';
import { privateMarketPaths as v1PrivateMarketPaths } from './v1/reports/private-market.ts';
import { userPaths as v1UserPaths } from './v1/people/user.ts';
import { userDataPaths } from './v1/people/user-data.ts';
import { webhookPaths } from './v1/events/webhook.ts';
import { webhookKeyPaths as v1WebhookKeyPaths } from './v1/events/webhook-key.ts';
import { v1 } from './v1/wire.ts';

export const operations: readonly Operation[] = [
  ...jsonApiStructurePaths,
  ...jsonApiInstrumentPaths,
  ...jsonApiInstrumentClassPaths,
  ...jsonApiSeriesPointPaths,
  ...plainClientPaths,
  ...plainInstrumentClassPaths,
  ...plainSeriesPointPaths,
  ...plainKeyPaths,
  ...v1StructurePaths,
  ...v1InstrumentPaths,
  ...v1SeriesPointPaths,
  ...fxRatePaths,
  ...jsonApiTransactionPaths,
  ...plainTransactionPaths,
  ...v1TransactionPaths,
  ...jsonApiHistoricalHoldingPaths,
  ...v1HistoricalHoldingPaths,
  ...plainLimitPaths,
  ...v1LimitPaths,
  ...calculationRoundPaths,
  ...plainHoldingPaths,
  ...plainLotPaths,
  ...jsonApiLotPaths,
  ...v1HoldingPaths,
  ...v1LotPaths,
  ...allocationPaths,
  ...realisedGainPaths,
  ...jsonApiPerformancePaths,
  ...summarizedPerformancePaths,
  ...jsonApiPrivateMarketPaths,
  ...plainPerformancePaths,
  ...plainPrivateMarketPaths,
  ...v1PerformancePaths,
  ...v1PrivateMarketPaths,
  ...explainPaths,
  ...dataQualityPaths,
  ...restatementPaths,
  ...jsonApiUserPaths,
  ...plainUserPaths,
  ...v1UserPaths,
  ...userDataPaths,
  ...invitePaths,
  ...webhookPaths,
  ...eventPaths,
  diagnosticsPath,
  ...jsonApiWebhookKeyPaths,
  ...v1WebhookKeyPaths,
  mePath,
  ...applicationPaths,
  ...v1KeyPaths,
  ...auditLogPaths,
];

export function openOperations(
  house: House,
  metrics: Metrics,
  untilBegun: () => Promise<void> = async () => {},
): readonly OpenOperation[] {
  const open = [flowA(house), oauthToken(house), ...deskOperations(house, metrics, untilBegun)];
  return [
    ...open,
    ...referenceOperations(house.addresses, { operations, openOperations: open, webhooks: describeWebhooks() }),
  ];
}

/** The family of assets of the second version is the one of instruments of the third. */
export function movedTo(path: string): string | undefined {
  const [, rest] = /^\/api\/v2\/asset(s?(?:[-/?].*)?)$/s.exec(path) ?? [];
  return rest === undefined ? undefined : `/api/v3/instrument${rest}`;
}

/** The wire that speaks for an address under which nothing is served. */
export function wireFor(path: string): Wire {
  if (/^\/api(\/|\?|$)/.test(path)) return jsonApi;
  return /^\/v[23](\/|\?|$)/.test(path) ? plain : v1;
}
