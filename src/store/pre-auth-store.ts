// Lookups before the tenant is known, in the pre-auth role: it sees what identifies callers in every workspace, and nothing else.

import type { Id } from '../kit/id.ts';
import type { PersonAccess } from '../model/access/person-access.ts';
import type { Tenant } from '../model/access/scope.ts';
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
  findAnySigningKey,
  findSigningKey,
  type SigningKeyLocator,
  type StoredSigningKey,
  type TenantSigningKey,
} from './access/signing-keys.ts';
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
import { listQueueLevels, type QueueLevel } from './queues/queue-levels.ts';

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

  /** Whether there is any workspace but one. */
  hasOtherWorkspace(except: Id): Promise<boolean> {
    return hasOtherWorkspace(this.#read, except);
  }

  /** All of them; fails while a server is away that may have more. */
  listEnvironments(): Promise<Tenant[]> {
    return listEnvironments(this.#read);
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

  /** Any key of any tenant, to check that the keyring can open it. */
  findAnySigningKey(): Promise<TenantSigningKey | undefined> {
    return findAnySigningKey(this.#read);
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
