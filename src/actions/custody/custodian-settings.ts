// The settings of a custodian: read and changed by administrators, and opened for its connector. The secret is sealed and never read back.

import type { Id } from '../../kit/id.ts';
import { refusalForFaults } from '../../kit/refusal.ts';
import { anyChange, type AnyChange, type ChangeOf } from '../../kit/resource.ts';
import { checkTarget, TargetFault } from '../../gateways/webhook-target.ts';
import {
  secretOrigins,
  type Connector,
  type ConnectorSettings,
  type MissingSetting,
} from '../../model/custody/connector.ts';
import type { custodianSettingsChange } from '../../model/custody/custody-requests.ts';
import { custodian, custodianSettings, type CustodianSettings } from '../../model/structure/custodian.ts';
import type { RefusalCode } from '../../model/refusals/refusals.ts';
import { requireAllClients, requireWholeWorkspace } from '../core/all-clients-access.ts';
import { changedValues } from '../core/changed-values.ts';
import { invalidateOnChange } from '../core/invalidation.ts';
import { notFound } from '../core/resource.ts';
import { sealContext } from '../core/seal-context.ts';
import { snapshot } from '../core/snapshot.ts';
import { audit, type Work } from '../core/work.ts';
import { callbackPathOf, checkCallbackChoice, withCallbackUrls } from './callback-address.ts';

export const settingsRefusals = ['custodian-not-found', 'outside-reach'] as const satisfies readonly RefusalCode[];

export const custodianSecretPurpose = 'custodian-secret';
const addressFields = ['apiUrl', 'authorizationUrl', 'tokenUrl', 'revocationUrl', 'oauthIssuer'] as const;

type SettingsInput = ChangeOf<typeof custodianSettingsChange>;

export async function getCustodianSettings(work: Work, id: string): Promise<CustodianSettings> {
  const found = await work.store.table(custodianSettings).find(id);
  if (found === undefined) throw notFound(custodian);
  return found;
}

/** For administrators of the whole workspace: a token bound to one client sees a custodian without its settings. */
export async function readCustodianSettings(work: Work, id: string): Promise<CustodianSettings> {
  const found = await getCustodianSettings(work, id);
  requireWholeWorkspace(work);
  return withCallbackUrls(work.context, found);
}

function checkAddresses({ context }: Work, input: SettingsInput): void {
  for (const field of addressFields) {
    const address = input[field];
    if (address == null) continue;
    try {
      checkTarget(address, { allowPrivate: context.allowsPrivateWebhooks });
    } catch (error) {
      if (!(error instanceof TargetFault)) throw error;
      throw refusalForFaults('invalid-document', [{ code: 'invalid-attribute', detail: error.message, field }]);
    }
  }
}

/** The secret is sent only to hosts that it was given for: whoever may change an address could otherwise receive it at their own. */
function requireSecretForOtherHosts(present: CustodianSettings, input: SettingsInput): void {
  if (!present.hasOauthClientSecret || input.oauthClientSecret !== undefined) return;
  const known = secretOrigins(present);
  const { apiUrl = null, tokenUrl = null, revocationUrl = null } = input;
  if (secretOrigins({ apiUrl, tokenUrl, revocationUrl }).every((origin) => known.includes(origin))) return;
  const detail =
    'Send oauth_client_secret as well: the stored one was not given for this host, which gets neither it nor tokens.';
  throw refusalForFaults('invalid-document', [{ code: 'missing-attribute', detail, field: 'oauthClientSecret' }]);
}

/** A connector that lacks something would be accepted, and fail when somebody consents or the feed runs. */
function requireConnectorSettings({ context }: Work, present: CustodianSettings, changes: AnyChange): void {
  const listMissing = (settings: CustodianSettings): readonly MissingSetting[] => {
    const connector = settings.connector === null ? undefined : context.connectors.get(settings.connector);
    return connector?.listMissing?.({ ...settings, custodian: settings.id }) ?? [];
  };
  const wanted = { ...present, ...changes };
  // What a custodian of an earlier release lacks does not keep its other settings from being changed.
  const known = new Set(wanted.connector === present.connector ? listMissing(present).map(({ field }) => field) : []);
  const faults = listMissing(wanted)
    .filter(({ field }) => !known.has(field))
    .map(({ field, detail }) => ({ code: 'missing-attribute', detail, field }) as const);
  if (faults.length > 0) throw refusalForFaults('invalid-document', faults);
}

function checkWarningDays({ expiryWarningDays: days }: SettingsInput): void {
  if (days === undefined || new Set(days).size === days.length) return;
  const detail = 'expiry_warning_days must not repeat a number.';
  throw refusalForFaults('invalid-document', [{ code: 'invalid-attribute', detail, field: 'expiryWarningDays' }]);
}

/** The columns that hold the secret. */
function secretFields(work: Work, id: Id, secret: string | null): AnyChange {
  const sealed = secret && work.context.keyring.seal(custodianSecretPurpose, secret, sealContext(work.store.scope, id));
  return { oauth_client_secret_sealed: sealed, hasOauthClientSecret: sealed !== null };
}

export async function changeCustodianSettings(
  work: Work,
  id: string,
  input: SettingsInput,
  guard: (present: CustodianSettings) => void = () => {},
): Promise<CustodianSettings> {
  const table = work.store.table(custodianSettings);
  const locked = await table.lock(id, 'to-change');
  if (locked === undefined) throw notFound(custodian);
  requireAllClients(work);
  const present = withCallbackUrls(work.context, locked);
  guard(present);
  checkAddresses(work, input);
  checkCallbackChoice(present, input);
  requireSecretForOtherHosts(present, input);
  checkWarningDays(input);
  const { oauthClientSecret: secret, ...settings } = input;
  const changes = changedValues(custodianSettings, present, settings);
  requireConnectorSettings(work, present, changes);
  if (Object.keys(changes).length === 0 && secret === undefined) return present;
  const fields = { ...changes, ...(secret === undefined ? {} : secretFields(work, present.id, secret)) };
  const changed = await table.update(present.id, fields);
  audit(work, {
    act: 'change',
    type: custodian.type,
    id: present.id,
    clientId: null,
    before: snapshot(custodianSettings, present),
    after: { ...snapshot(custodianSettings, changed), ...(secret === undefined ? {} : { secret_replaced: true }) },
  });
  invalidateOnChange(work, custodianSettings, changed, anyChange(changes));
  return withCallbackUrls(work.context, changed);
}

export interface OpenedConnector {
  readonly connector: Connector;
  readonly settings: ConnectorSettings;
  /** Where the custodian sends browsers back to. */
  readonly callbackPath: string;
}

/** The connector of a custodian with its settings, the secret in clear; undefined if the custodian has none that this node runs. */
export async function openConnector(work: Work, custodianId: Id): Promise<OpenedConnector | undefined> {
  const { context, store } = work;
  const found = await getCustodianSettings(work, custodianId);
  const connector = found.connector === null ? undefined : context.connectors.get(found.connector);
  if (connector === undefined) return undefined;
  const sealed = await store.custody.sealed.find('custodian', custodianId);
  const secret =
    sealed && context.keyring.open(custodianSecretPurpose, sealed, sealContext(store.scope, custodianId)).toString();
  const { apiUrl, authorizationUrl, tokenUrl, revocationUrl, oauthIssuer, oauthClientId, oauthScope } = found;
  const addresses = { apiUrl, authorizationUrl, tokenUrl, revocationUrl, oauthIssuer };
  const settings = { custodian: custodianId, kind: connector.kind, ...addresses, oauthClientId, oauthScope };
  return { connector, settings: { ...settings, oauthClientSecret: secret }, callbackPath: callbackPathOf(found) };
}
