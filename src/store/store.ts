// Everything that one scope can read and change, table by table. Rows outside the scope do not exist here.

import type { FieldSelection } from '../kit/field-selection.ts';
import type { Scope } from '../model/access/scope.ts';
import { ClassTree } from './resources/class-tree.ts';
import { ClientHierarchy } from './resources/client-hierarchy.ts';
import { AnnouncedHoldings } from './events/announced-holdings.ts';
import { DeliveryTable } from './events/deliveries.ts';
import { Events } from './events/events.ts';
import { AuditChain } from './access/audit-chain.ts';
import { AuditLog } from './access/audit-log.ts';
import { Credentials } from './access/credentials.ts';
import { dropExpired } from './access/expiry.ts';
import { IdempotentAnswers } from './access/idempotent-answers.ts';
import { pullBackMoments, type SetbackCheck } from './queues/clock-setback.ts';
import { leaseBudget, type BudgetLease, type LeaseRequest } from './access/request-budget.ts';
import { ReplacedKeys } from './access/replaced-keys.ts';
import { RequestLog } from './access/request-log.ts';
import { LogShipments } from './queues/log-shipments.ts';
import { SealedRows } from './access/sealed-rows.ts';
import { SigningKeys } from './access/signing-keys.ts';
import { UsedAssertions } from './access/used-assertions.ts';
import { Usage } from './access/usage.ts';
import { WorkspaceSettings } from './access/workspace-settings.ts';
import { WorkspaceStates } from './access/workspace-states.ts';
import { Workspaces } from './access/workspaces.ts';
import type { DropResult } from './access/retention.ts';
import { dropOldEvents } from './events/event-retention.ts';
import { InputChanges } from './report-inputs/input-changes.ts';
import { Origins } from './report-inputs/origins.ts';
import { ActivityReader } from './ledger/activity-reader.ts';
import { LedgerReader } from './ledger/ledger-reader.ts';
import { LedgerColumns } from './ledger/ledger-columns.ts';
import type { LedgerCache } from './ledger/ledger-cache.ts';
import { LedgerCopies } from './ledger/ledger-copies.ts';
import { LedgerCounters } from './ledger/ledger-counters.ts';
import { ImportCreations } from './imports/import-creations.ts';
import { ImportGroups } from './imports/import-groups.ts';
import { ImportNames } from './imports/import-names.ts';
import { ImportRows } from './imports/import-rows.ts';
import { ImportUsage } from './imports/import-usage.ts';
import { ImportWorks } from './imports/import-works.ts';
import { StatedEntries } from './imports/stated-entries.ts';
import { LimitStates } from './resources/limit-states.ts';
import { LinkVersions } from './resources/link-versions.ts';
import { TransactionVersions } from './ledger/transaction-versions.ts';
import { MailTable } from './queues/mails.ts';
import { Administrators } from './people/administrators.ts';
import { Identities } from './people/identities.ts';
import { Invites } from './people/invites.ts';
import { People } from './people/people.ts';
import { PersonKeys } from './people/person-keys.ts';
import { Sessions } from './people/sessions.ts';
import { StoredPersonalData } from './people/stored-personal-data.ts';
import { RoundQueue } from './queues/round-queue.ts';
import { dropOldLimitStates, dropOldRounds, type RoundDropResult } from './queues/round-retention.ts';
import { ReconciliationBreaks } from './custody/reconciliation-breaks.ts';
import { Custody } from './custody/custody.ts';
import { SeriesColumns } from './series/series-columns.ts';
import { SeriesVersions } from './series/series-versions.ts';
import { Uploads } from './ledger/uploads.ts';
import { ScopedTables } from './scoped-tables.ts';
import { WebhookKeys } from './events/webhook-keys.ts';
import { WebhookSecrets } from './events/webhook-secrets.ts';

export class Store extends ScopedTables {
  /** The same store, reading other fields of records. */
  withFields(fields: FieldSelection): Store {
    return new Store({ scope: this.scope, run: this.run, fields });
  }

  /** Continues the transaction in another scope of the same caller, and returns the store for it. */
  async switchScope(scope: Scope): Promise<Store> {
    return new Store({ scope: await this.run.switchScope(scope), run: this.run, fields: this.fields });
  }

  get linkVersions(): LinkVersions {
    return new LinkVersions(this.scope, this.run);
  }

  /** Whole series and rates as columns. */
  get seriesColumns(): SeriesColumns {
    return new SeriesColumns(this);
  }

  get seriesVersions(): SeriesVersions {
    return new SeriesVersions(this.scope, this.run);
  }

  get deliveries(): DeliveryTable {
    return new DeliveryTable(this.scope, this.run);
  }

  /** What was last announced of holdings. */
  get announcedHoldings(): AnnouncedHoldings {
    return new AnnouncedHoldings(this.scope, this.run);
  }

  get events(): Events {
    return new Events(this.scope, this.run);
  }

  get custody(): Custody {
    return new Custody(this.scope, this.run);
  }

  get clientHierarchy(): ClientHierarchy {
    return new ClientHierarchy(this.scope, this.run);
  }

  get classTree(): ClassTree {
    return new ClassTree(this.scope, this.run);
  }

  get ledger(): LedgerReader {
    return new LedgerReader(this.scope, this.run);
  }

  /** Transactions of accounts and depositories, the newest first. */
  get activity(): ActivityReader {
    return new ActivityReader(this.scope, this.run);
  }

  get ledgerCopies(): LedgerCopies {
    return new LedgerCopies(this.scope, this.run);
  }

  get ledgerCounters(): LedgerCounters {
    return new LedgerCounters(this.scope, this.run);
  }

  get transactionVersions(): TransactionVersions {
    return new TransactionVersions(this.scope, this.run);
  }

  get importNames(): ImportNames {
    return new ImportNames(this.scope, this.run);
  }

  get importCreations(): ImportCreations {
    return new ImportCreations(this.scope, this.run);
  }

  get importRows(): ImportRows {
    return new ImportRows(this.scope, this.run);
  }

  /** What rows of imports have in common. */
  get importGroups(): ImportGroups {
    return new ImportGroups(this.scope, this.run);
  }

  /** What imports take, and what they may take. */
  get importUsage(): ImportUsage {
    return new ImportUsage(this.scope, this.run);
  }

  get importWorks(): ImportWorks {
    return new ImportWorks(this.scope, this.run);
  }

  /** What statements have said about the entries of accounts. */
  get statedEntries(): StatedEntries {
    return new StatedEntries(this.scope, this.run);
  }

  get limitStates(): LimitStates {
    return new LimitStates(this.scope, this.run);
  }

  get personKeys(): PersonKeys {
    return new PersonKeys(this.scope, this.run);
  }

  get mails(): MailTable {
    return new MailTable(this.scope, this.run);
  }

  get rounds(): RoundQueue {
    return new RoundQueue(this.scope, this.run);
  }

  /** The report inputs that changed between two moments. */
  get inputChanges(): InputChanges {
    return new InputChanges(this.scope, this.run);
  }

  /** Where single numbers of reports were recorded. */
  get origins(): Origins {
    return new Origins(this.scope, this.run);
  }

  get uploads(): Uploads {
    return new Uploads(this.scope, this.run);
  }

  /** What differs between statements of custodians and the ledger. */
  get reconciliationBreaks(): ReconciliationBreaks {
    return new ReconciliationBreaks(this.scope, this.run);
  }

  get webhookSecrets(): WebhookSecrets {
    return new WebhookSecrets(this.scope, this.run);
  }

  /** The audit log, which knows what is still in effect at the moment `now`. */
  auditLog(now: number): AuditLog {
    return new AuditLog(this, now);
  }

  get requestLog(): RequestLog {
    return new RequestLog(this.scope, this.run);
  }

  /** How far the logs were shipped. */
  get logShipments(): LogShipments {
    return new LogShipments(this.scope, this.run);
  }

  /** The chain by hash over the audit log. */
  get auditChain(): AuditChain {
    return new AuditChain(this.scope, this.run);
  }

  get credentials(): Credentials {
    return new Credentials(this.scope, this.run);
  }

  /** What is kept of encryption keys that were replaced. */
  get replacedKeys(): ReplacedKeys {
    return new ReplacedKeys(this.scope, this.run);
  }

  /** Whatever an encryption key has made, whichever. */
  get sealedRows(): SealedRows {
    return new SealedRows(this.scope, this.run);
  }

  get signingKeys(): SigningKeys {
    return new SigningKeys(this.scope, this.run);
  }

  get usedAssertions(): UsedAssertions {
    return new UsedAssertions(this.scope, this.run);
  }

  get workspaces(): Workspaces {
    return new Workspaces(this.scope, this.run);
  }

  get workspaceSettings(): WorkspaceSettings {
    return new WorkspaceSettings(this.scope, this.run);
  }

  get workspaceStates(): WorkspaceStates {
    return new WorkspaceStates(this.scope, this.run);
  }

  get usage(): Usage {
    return new Usage(this.scope, this.run);
  }

  get people(): People {
    return new People(this);
  }

  /** The invites, each with its state at the moment `now`. */
  invites(now: number): Invites {
    return new Invites(this, now);
  }

  get administrators(): Administrators {
    return new Administrators(this.scope, this.run);
  }

  get identities(): Identities {
    return new Identities(this.scope, this.run);
  }

  get sessions(): Sessions {
    return new Sessions(this.scope, this.run);
  }

  /** What is stored about a person besides their memberships. */
  personalData(personId: string): StoredPersonalData {
    return new StoredPersonalData(this, personId);
  }

  leaseBudget(request: LeaseRequest): Promise<BudgetLease> {
    return leaseBudget(this.run, this.scope, request);
  }

  /** Returns how many rows were deleted or emptied. */
  dropExpired(cutoffs: Parameters<typeof dropExpired>[2]): Promise<number> {
    return dropExpired(this.run, this.scope, cutoffs);
  }

  /** Returns how many rows were pulled back. */
  pullBackMoments(check: SetbackCheck): Promise<number> {
    return pullBackMoments(this.run, this.scope, check);
  }

  dropOldEvents(before: number): Promise<DropResult> {
    return dropOldEvents(this.run, this.scope, before);
  }

  dropOldRounds(part: { readonly before: number; readonly afterId: string }): Promise<RoundDropResult> {
    return dropOldRounds(this.run, this.scope, part);
  }

  dropOldLimitStates(before: number): Promise<DropResult> {
    return dropOldLimitStates(this.run, this.scope, before);
  }

  get webhookKeys(): WebhookKeys {
    return new WebhookKeys(this.scope, this.run);
  }

  get idempotentAnswers(): IdempotentAnswers {
    return new IdempotentAnswers(this.scope, this.run);
  }
}

/** A store whose reads all see the same moment. */
export class SnapshotStore extends Store {
  /** Whole ledgers as columns. */
  ledgerColumns(cache: LedgerCache): LedgerColumns {
    return new LedgerColumns(this, cache);
  }
}
