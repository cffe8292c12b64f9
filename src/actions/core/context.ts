// The dependencies of every use case, built once at start: stores, clock, ids, keys and settings.

import type { Clock } from '../../kit/clock.ts';
import type { FairTurns } from '../../kit/turns/fair-turns.ts';
import type { IdSource } from '../../kit/id.ts';
import type { KeyedSums } from '../../kit/memory/keyed-sums.ts';
import type { Tracer } from '../../kit/tracing/span.ts';
import type { Connectors } from '../../model/custody/connector.ts';
import type { InstallationSettings, SettingFloors } from '../../model/access/workspace-settings.ts';
import type { CurrencyCode } from '../../model/currency.ts';
import type { NodeFigures } from '../../model/operations/node-figures.ts';
import type { LogShipping } from '../../model/operations/shipped-log.ts';
import type { OperatorMode } from '../../model/operations/operator-mode.ts';
import type { Keyring } from '../../signing/keyring.ts';
import type { Stores } from '../../store/stores.ts';
import type { LedgerCache } from '../../store/ledger/ledger-cache.ts';
import type { MailLimits } from '../people/mail-limits.ts';
import type { AssertionsInMemory } from '../access/assertions-in-memory.ts';
import type { SessionsInMemory } from '../access/sessions-in-memory.ts';
import type { AccountRenderer } from './account-renderer.ts';
import type { TenantWakeUps } from './tenant-wake-ups.ts';
import type { WakeUpAnnouncer } from './wake-up-announcer.ts';

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
  /** Decides which day a moment falls on. */
  readonly timeZone: string;
  /** The ledgers that reports have read, kept in memory. */
  readonly ledgerCache: LedgerCache;
  /** Undefined where tracing is not configured. */
  readonly tracer: Tracer | undefined;
  /** What this thread counts for the operator. */
  readonly figures: NodeFigures;
  /** For how many milliseconds each workspace has held connections of this thread, since that was last asked. */
  readonly databaseUse: KeyedSums;
  /** Long computations of this thread take turns by workspace. */
  readonly turns: FairTurns;
  /** Of the work of one request that may take long: aborted when nobody waits for its answer any more. */
  readonly callerLeft?: AbortSignal | undefined;
  /** Tenants in which a round may soon be due. */
  readonly roundWakeUps: TenantWakeUps;
  /** Tenants that may have events to fan out and deliver. */
  readonly deliveryWakeUps: TenantWakeUps;
  /** Which logs leave the house, and where to: what is not shipped yet is not deleted. */
  readonly logShipping: LogShipping;
  /** Tenants that may have mail to send. */
  readonly mailWakeUps: TenantWakeUps;
  /** Tells other nodes of events and mail. */
  readonly wakeUpAnnouncer: WakeUpAnnouncer;
  readonly mailLimits: MailLimits;
  /** What a workspace may use and how long its rows are kept, as far as its operator has set nothing else for it. */
  readonly workspaceSettings: InstallationSettings;
  /** What no setting of a workspace goes below. */
  readonly settingFloors: SettingFloors;
  /** Whether webhooks may be sent to private addresses and without TLS. */
  readonly allowsPrivateWebhooks: boolean;
  readonly addresses: Addresses;
  /** The assertions that were exchanged while nothing could be written. */
  readonly assertionsInMemory: AssertionsInMemory;
  /** The sessions that were used or ended while nothing could be written. */
  readonly sessionsInMemory: SessionsInMemory;
  /** Whether the operator lets anything be changed or asked at all. */
  readonly operatorMode: OperatorMode;
  /** What fetches data from custodians, by the kind that a custodian's settings name. */
  readonly connectors: Connectors;
  readonly accountRenderer: AccountRenderer;
}
