// The redirect addresses that custodians send browsers back to. Each custodian has its own, so the path says who answers. Custodians of
// earlier releases may still use the address that all of them share.

import { refusalForFaults } from '../../kit/refusal.ts';
import type { CustodianSettings } from '../../model/structure/custodian.ts';
import type { AppContext } from '../core/context.ts';

export const sharedCallbackPath = '/connect/callback';

export function ownCallbackPath(custodian: string): string {
  return `${sharedCallbackPath}/${custodian}`;
}

/** The path that the next consent comes back to. */
export function callbackPathOf({ id, usesOwnCallback }: CustodianSettings): string {
  return usesOwnCallback ? ownCallbackPath(id) : sharedCallbackPath;
}

export function callbackUrl({ addresses }: AppContext, path: string): string {
  return `${addresses.baseUrl}${path}`;
}

/** Adds both addresses, for administrators who register them with the custodian. */
export function withCallbackUrls(context: AppContext, settings: CustodianSettings): CustodianSettings {
  return {
    ...settings,
    callbackUrl: callbackUrl(context, ownCallbackPath(settings.id)),
    sharedCallbackUrl: settings.hasSharedCallback ? callbackUrl(context, sharedCallbackPath) : null,
  };
}

/** Only custodians that had the shared address before may use it: an answer at the shared address does not say who sent it. */
export function checkCallbackChoice(
  { hasSharedCallback }: CustodianSettings,
  { usesOwnCallback }: Partial<Pick<CustodianSettings, 'usesOwnCallback'>>,
): void {
  if (usesOwnCallback !== false || hasSharedCallback) return;
  const detail = 'This custodian never had the shared redirect address. Register its own, callback_url, with it.';
  throw refusalForFaults('invalid-document', [{ code: 'invalid-attribute', detail, field: 'usesOwnCallback' }]);
}
