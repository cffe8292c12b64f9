// Lists all pages for people. They are not part of the API reference.

import type { OpenOperation } from '../http/operation/open-operation.ts';
import { webOperation, type WebParts, type WebPath } from './web-path.ts';
import { importPaths } from './console/imports/import-page.ts';
import { importWorkPaths } from './console/imports/import-work.ts';
import { importsPaths } from './console/imports/imports-page.ts';
import { custodyPaths } from './console/custody/custody-paths.ts';
import { consoleLimitPages } from './console/limits/limit-pages.ts';
import { inboxPages } from './console/data-quality/inbox-page.ts';
import { bookingPages } from './console/bookings/booking-pages.ts';
import { instrumentPages } from './console/instruments/instrument-pages.ts';
import { connectPaths } from './connect-page.ts';
import { clientPages } from './console/clients/client-pages.ts';
import { peoplePages } from './console/people/people-pages.ts';
import { homePages } from './console/workspace/home-page.ts';
import { settingsPages } from './console/workspace/settings-pages.ts';
import { structurePages } from './console/structure/structure-pages.ts';
import { sandboxPages } from './console/sandbox/sandbox-pages.ts';
import { developerPages } from './console/developers/developer-pages.ts';
import { invitePages } from './sign-in/invite-pages.ts';
import { entityOverviewPaths } from './portal/entity-overview-page.ts';
import { explanationPaths } from './portal/explain/explanation-page.ts';
import { incomePaths } from './portal/performance/income-page.ts';
import { performancePaths } from './portal/performance/performance-page.ts';
import { privateMarketsPaths } from './portal/performance/private-markets-page.ts';
import { realisedGainsPaths } from './portal/performance/realised-gains-page.ts';
import { reportPaths } from './portal/report/report-page.ts';
import { holdingsPaths } from './portal/holdings-page.ts';
import { mePaths } from './portal/me-page.ts';
import { activityPaths } from './portal/activity/activity-page.ts';
import { dataQualityPaths } from './portal/data-quality/data-quality-page.ts';
import { knownPaths } from './portal/known/known-page.ts';
import { limitsPaths } from './portal/limits/limits-page.ts';
import { overviewPaths } from './portal/overview-page.ts';
import { signInPaths } from './sign-in/sign-in-pages.ts';
import { signOutPaths } from './sign-in/sign-out-pages.ts';
import { styleOperation } from './style.ts';
import { islandOperation } from './served-islands.ts';

const paths: readonly WebPath[] = [
  ...performancePaths,
  ...privateMarketsPaths,
  ...incomePaths,
  ...realisedGainsPaths,
  ...explanationPaths,
  ...reportPaths,
  ...overviewPaths,
  ...entityOverviewPaths,
  ...holdingsPaths,
  ...mePaths,
  ...activityPaths,
  ...limitsPaths,
  ...dataQualityPaths,
  ...knownPaths,
  ...invitePages,
  ...signInPaths,
  ...signOutPaths,
  ...connectPaths,
  ...homePages,
  ...clientPages,
  ...structurePages,
  ...peoplePages,
  ...settingsPages,
  ...developerPages,
  ...importsPaths,
  ...importWorkPaths,
  ...importPaths,
  ...custodyPaths,
  ...instrumentPages,
  ...bookingPages,
  ...consoleLimitPages,
  ...inboxPages,
  ...sandboxPages,
];

/** The addresses of all of them, with their parameters in braces. */
export const webAddresses: readonly string[] = [
  ...new Set([styleOperation, islandOperation, ...paths].map(({ path }) => path)),
];

/** Those that a browser opens; the others receive forms. */
export const openedAddresses: readonly string[] = [
  styleOperation.path,
  islandOperation.path,
  ...paths.filter(({ method }) => method === 'GET').map(({ path }) => path),
];

/** Those that receive forms. */
export const sentAddresses: readonly string[] = paths.filter(({ method }) => method === 'POST').map(({ path }) => path);

export function webOperations(parts: WebParts): readonly OpenOperation[] {
  return [styleOperation, islandOperation, ...paths.map((path) => webOperation(parts, path))];
}
