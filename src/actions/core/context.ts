// What every use case needs from outside, given once at start: the stores, the clock, ids, keys, settings.

import type { Clock } from '../../kit/clock.ts';
import type { IdSource } from '../../kit/id.ts';
import type { CurrencyCode } from '../../model/currency.ts';
import type { Keyring } from '../../signing/keyring.ts';
import type { Stores } from '../../store/stores.ts';
import type { LedgerCache } from '../../store/ledger/ledger-cache.ts';
import type { MailLimits } from '../people/mail-limits.ts';
import type { TenantWakeUps } from './tenant-wake-ups.ts';

export interface Addresses {
  /** The main host of the API; the audience of flow A. */
  readonly baseUrl: string;
  /** The host of the older half of the API. */
  readonly legacyUrl: string;
  /** The token host; the audience of flow B. */
  readonly authUrl: string;
}

export interface AppContext {
  /** The one way to the database. */
  readonly stores: Stores;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly keyring: Keyring;
  readonly defaultCurrency: CurrencyCode;
  /** In which a moment becomes a day. */
  readonly timeZone: string;
  /** What reports remember of what they were made of. */
  readonly ledgerCache: LedgerCache;
  /** Where rounds may soon be due. */
  readonly roundWakeUps: TenantWakeUps;
  /** Where there may be events to hand out and deliver. */
  readonly deliveryWakeUps: TenantWakeUps;
  /** For so long events are kept, and what became of them. */
  readonly eventRetentionMs: number;
  /** Where there may be mail to send. */
  readonly mailWakeUps: TenantWakeUps;
  readonly mailLimits: MailLimits;
  /** Webhooks may be sent to private addresses, and without TLS. */
  readonly allowsPrivateWebhooks: boolean;
  readonly addresses: Addresses;
}
