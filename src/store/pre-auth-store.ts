// Lookups before the tenant is known, in the pre-auth role: it sees what identifies callers in every workspace, and nothing else.

import type { Id } from '../kit/id.ts';
import type { PersonAccess } from '../model/access/person-access.ts';
import type { Tenant } from '../model/access/scope.ts';
import type { LogShipping } from '../model/operations/shipped-log.ts';
import {
  findApplication,
  findFirstAdmin,
  findKey,
  type FoundApplication,
  type KeyLocator,
  type StoredCredential,
} from './access/credentials.ts';
import { hasOtherWorkspace, listEnvironments } from './access/expiry.ts';
import {
  findSealedSigningKeys,
  findSigningKey,
  type SigningKeyLocator,
  type StoredSigningKey,
  type TenantSigningKey,
} from './access/signing-keys.ts';
import { listOwnRetentions, type OwnRetention } from './access/workspace-settings.ts';
import { findReplacedKeys, type TenantReplacedKey } from './access/replaced-keys.ts';
import { listEnvironmentsWithoutClasses } from './access/workspaces.ts';
import { findAdministratorLink, type AdministratorLinkLookup } from './people/administrators.ts';
import { listAccessByIdentity, type IdentityKey } from './people/identities.ts';
import { findInviteBySecret, type InviteLookup } from './people/invites.ts';
import { findPersonAccess, type PersonLocator } from './people/person-access.ts';
import { findSessionBySecret, type SessionQuery, type StoredSession } from './people/sessions.ts';
import type { SecretLocator } from './people/located-secret.ts';
import type { PreAuthRead } from './postgres/statement-runner.ts';
import { readArchiving, type Archiving } from './postgres/archiving.ts';
import { DueTenantLists } from './queues/due-tenants.ts';
import { listShippingLag, type ShippingLag } from './queues/shipping-lag.ts';
import { listQueueLevels, type QueueLevel } from './queues/queue-levels.ts';
import {
  listLargest,
  listNearestQuotas,
  type LargestEnvironments,
  type QuotaLevel,
} from './queues/workspace-levels.ts';

export class PreAuthStore {
  readonly #read: PreAuthRead;

  constructor(read: PreAuthRead) {
    this.#read = read;
  }

  /** The tenants that have something to do. */
  get dueTenants(): DueTenantLists {
    return new DueTenantLists(this.#read);
  }

  /** Whether the server archives its write-ahead log. */
  readArchiving(): Promise<Archiving> {
    return readArchiving(this.#read);
  }

  /** How much waits in the queues of all tenants. */
  listQueueLevels(now: number): Promise<readonly QueueLevel[]> {
    return listQueueLevels(this.#read, now);
  }

  /** How far shipping is behind, for all tenants. */
  listShippingLag(shipping: LogShipping): Promise<readonly ShippingLag[]> {
    return listShippingLag(this.#read, shipping);
  }

  /** The largest environments, and what all take. */
  listLargest(most: number): Promise<LargestEnvironments> {
    return listLargest(this.#read, most);
  }

  /** The environments that are nearest to a quota, the nearest first. */
  listNearestQuotas(query: Parameters<typeof listNearestQuotas>[1]): Promise<readonly QuotaLevel[]> {
    return listNearestQuotas(this.#read, query);
  }

  /** Whether there is any workspace but one. */
  hasOtherWorkspace(except: Id): Promise<boolean> {
    return hasOtherWorkspace(this.#read, except);
  }

  /** All of them; fails while a server is away that may have more. */
  listEnvironments(): Promise<Tenant[]> {
    return listEnvironments(this.#read);
  }

  /** The workspaces that keep something for a time of their own. */
  listOwnRetentions(): Promise<readonly OwnRetention[]> {
    return listOwnRetentions(this.#read);
  }

  /** The environments that have no instrument classes yet. */
  listEnvironmentsWithoutClasses(): Promise<Tenant[]> {
    return listEnvironmentsWithoutClasses(this.#read);
  }

  findApplication(clientId: string): Promise<StoredCredential | undefined> {
    return findApplication(this.#read, clientId);
  }

  findFirstAdmin(exceptWorkspace: Id): Promise<FoundApplication | undefined> {
    return findFirstAdmin(this.#read, exceptWorkspace);
  }

  findKey(key: KeyLocator): Promise<StoredCredential | undefined> {
    return findKey(this.#read, key);
  }

  findSigningKey(key: SigningKeyLocator): Promise<StoredSigningKey | undefined> {
    return findSigningKey(this.#read, key);
  }

  /** For each encryption key that has sealed signing keys, one of these of any tenant, to check that the keyring can open it. */
  findSealedSigningKeys(): Promise<readonly TenantSigningKey[]> {
    return findSealedSigningKeys(this.#read);
  }

  /** What is kept of encryption keys that were replaced. */
  findReplacedKeys(): Promise<readonly TenantReplacedKey[]> {
    return findReplacedKeys(this.#read);
  }

  findPersonAccess(person: PersonLocator): Promise<PersonAccess | undefined> {
    return findPersonAccess(this.#read, person);
  }

  listAccessByIdentity(identity: IdentityKey): Promise<readonly PersonAccess[]> {
    return listAccessByIdentity(this.#read, identity);
  }

  findSession(query: SessionQuery): Promise<StoredSession | undefined> {
    return findSessionBySecret(this.#read, query);
  }

  findInvite(secret: SecretLocator): Promise<InviteLookup | undefined> {
    return findInviteBySecret(this.#read, secret);
  }

  findAdministratorLink(secret: SecretLocator): Promise<AdministratorLinkLookup | undefined> {
    return findAdministratorLink(this.#read, secret);
  }
}
