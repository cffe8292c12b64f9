// Lists every operation that is served, for the router and the API reference.

import type { ReadinessReport } from '../actions/core/readiness.ts';
import { normalMode } from '../model/operations/service-mode.ts';
import type { AppContext } from '../actions/core/context.ts';
import { healthOperations, type HealthParts } from './http/pipeline/health.ts';
import type { OpenOperation } from './http/operation/open-operation.ts';
import type { Operation, Wire } from './http/operation/operation.ts';
import { referenceOperations, type ReferenceTrial } from './http/reference/reference.ts';
import { describeWebhooks } from './v1/events/webhook-reference.ts';
import { jsonApiCustodyPaths } from './json-api/custody.ts';
import { jsonApiHistoricalHoldingPaths } from './json-api/historical-holding.ts';
import { jsonApiInstrumentClassPaths } from './json-api/instrument-class.ts';
import { jsonApiInstrumentPaths } from './json-api/instrument.ts';
import { jsonApiLotPaths } from './json-api/lot.ts';
import { jsonApiSeriesPointPaths } from './json-api/series-point.ts';
import { jsonApiStructurePaths } from './json-api/structure.ts';
import { jsonApiTransactionPaths } from './json-api/transaction.ts';
import { jsonApiUserPaths } from './json-api/user.ts';
import { jsonApiPerformancePaths } from './json-api/performance.ts';
import { jsonApiPrivateMarketPaths } from './json-api/private-market.ts';
import { jsonApiWebhookKeyPaths } from './json-api/webhook-key.ts';
import { summarizedPerformancePaths } from './json-api/summarized-performance.ts';
import { jsonApi } from './json-api/wire.ts';
import { plainClientPaths } from './plain/client.ts';
import { plainHoldingPaths } from './plain/holding.ts';
import { plainInstrumentClassPaths } from './plain/instrument-class.ts';
import { plainKeyPaths } from './plain/key.ts';
import { plainLotPaths } from './plain/lot.ts';
import { plainLimitPaths } from './plain/limit.ts';
import { plainSeriesPointPaths } from './plain/series-point.ts';
import { plainTransactionPaths } from './plain/transaction.ts';
import { plainPerformancePaths } from './plain/performance.ts';
import { plainPrivateMarketPaths } from './plain/private-market.ts';
import { plainUserPaths } from './plain/user.ts';
import { plain } from './plain/wire.ts';
import { flowA } from './token/flow-a.ts';
import { oauthToken } from './token/oauth-token.ts';
import type { TokenParts } from './token/token-endpoint.ts';
import { allocationPaths } from './v1/reports/allocation.ts';
import { applicationPaths } from './v1/access/application.ts';
import { requestLogPaths } from './v1/access/request-log.ts';
import { auditLogPaths } from './v1/access/audit-log.ts';
import { calculationRoundPaths } from './v1/limits/calculation-round.ts';
import { dataQualityPaths } from './v1/reports/data-quality.ts';
import { feedPaths } from './v1/custody/feed.ts';
import { diagnosticsPath } from './v1/events/diagnostics.ts';
import { eventPaths } from './v1/events/event.ts';
import { explainPaths } from './v1/reports/explain.ts';
import { identifierMappingPaths } from './v1/custody/identifier-mapping.ts';
import { fxRatePaths } from './v1/instruments/fx-rate.ts';
import { v1HistoricalHoldingPaths } from './v1/ledger/historical-holding.ts';
import { v1HoldingPaths } from './v1/reports/holding.ts';
import { importPaths } from './v1/imports/import.ts';
import { importProfilePaths } from './v1/imports/import-profile.ts';
import { v1InstrumentPaths } from './v1/instruments/instrument.ts';
import { v1InvitePaths } from './v1/people/invite.ts';
import { v1KeyPaths } from './v1/access/key.ts';
import { v1LimitPaths } from './v1/limits/limit.ts';
import { v1LotPaths } from './v1/reports/lot.ts';
import { mePath } from './v1/access/me.ts';
import { mySessionPaths } from './v1/access/my-sessions.ts';
import { reconciliationBreakPaths } from './v1/reconciliation/reconciliation-break.ts';
import { reconciliationPaths } from './v1/reconciliation/reconciliation.ts';
import { activityPaths } from './v1/reports/activity.ts';
import { realisedGainPaths } from './v1/reports/realised-gain.ts';
import { restatementPaths } from './v1/reports/restatement.ts';
import { sandboxPaths } from './v1/sandbox/sandbox-client.ts';
import { v1SeriesPointPaths } from './v1/instruments/series-point.ts';
import { v1StructurePaths } from './v1/structure/structure.ts';
import { v1TransactionPaths } from './v1/ledger/transaction-paths.ts';
import { v1PerformancePaths } from './v1/reports/performance.ts';
import { v1PrivateMarketPaths } from './v1/reports/private-market.ts';
import { v1UserPaths } from './v1/people/user.ts';
import { administratorPaths } from './v1/people/administrator.ts';
import { userDataPaths } from './v1/people/user-data.ts';
import { v1AuthFlowPaths } from './v1/custody/auth-flow.ts';
import { v1AuthFlowFilePaths } from './v1/custody/auth-flow-file.ts';
import { v1AuthorityPaths } from './v1/custody/authority.ts';
import { v1CustodianSettingsPaths } from './v1/custody/custodian-settings.ts';
import { webhookPaths } from './v1/events/webhook.ts';
import { v1WebhookKeyPaths } from './v1/events/webhook-key.ts';
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
  ...importPaths,
  ...importProfilePaths,
  ...jsonApiCustodyPaths,
  ...v1AuthFlowPaths,
  ...v1AuthFlowFilePaths,
  ...v1AuthorityPaths,
  ...v1CustodianSettingsPaths,
  ...v1InstrumentPaths,
  ...identifierMappingPaths,
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
  ...feedPaths,
  ...plainHoldingPaths,
  ...plainLotPaths,
  ...jsonApiLotPaths,
  ...v1HoldingPaths,
  ...v1LotPaths,
  ...allocationPaths,
  ...realisedGainPaths,
  ...activityPaths,
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
  ...reconciliationPaths,
  ...reconciliationBreakPaths,
  ...jsonApiUserPaths,
  ...plainUserPaths,
  ...v1UserPaths,
  ...userDataPaths,
  ...v1InvitePaths,
  ...administratorPaths,
  ...webhookPaths,
  ...eventPaths,
  diagnosticsPath,
  ...jsonApiWebhookKeyPaths,
  ...v1WebhookKeyPaths,
  mePath,
  ...mySessionPaths,
  ...applicationPaths,
  ...v1KeyPaths,
  ...auditLogPaths,
  ...requestLogPaths,
  ...sandboxPaths,
];

interface OpenOperationOptions extends Omit<TokenParts, 'context'>, Pick<HealthParts, 'metrics' | 'version'> {
  /** Set while the service is tried out on one machine, with a demo. */
  readonly trial?: ReferenceTrial | undefined;
  readonly checkReady?: () => Promise<ReadinessReport>;
  readonly listServers?: HealthParts['listServers'];
}

export function openOperations(
  context: AppContext,
  {
    metrics,
    version,
    checkReady = async () => ({ status: 'ready', writes: 'ready', notice: normalMode }),
    listServers = async () => [],
    trial,
    ...limits
  }: OpenOperationOptions,
): readonly OpenOperation[] {
  const tokenParts = { context, ...limits };
  const baseOperations = [
    flowA(tokenParts),
    oauthToken(tokenParts),
    ...healthOperations({ metrics, version, checkReady, listServers }),
  ];
  return [
    ...baseOperations,
    ...referenceOperations(context.addresses, {
      operations,
      openOperations: baseOperations,
      webhooks: describeWebhooks(),
      trial,
    }),
  ];
}

/** Assets of v2 are called instruments in v3. */
export function movedPath(path: string): string | undefined {
  const [, rest] = /^\/api\/v2\/asset(s?(?:[-/?].*)?)$/s.exec(path) ?? [];
  return rest === undefined ? undefined : `/api/v3/instrument${rest}`;
}

/** The wire of responses to a path that is not served. */
export function wireFor(path: string): Wire {
  if (/^\/api(\/|\?|$)/.test(path)) return jsonApi;
  return /^\/v[23](\/|\?|$)/.test(path) ? plain : v1;
}
