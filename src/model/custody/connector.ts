// The interface of connectors: how consent is obtained from a custodian's own pages, and how accounts and statements are fetched. A
// connector knows no tenant and no database. What it must remember are two texts, which are stored sealed: `pending` while consent is
// being given, and `credentials` afterwards.

import type { Id } from '../../kit/id.ts';
import type { StatementItem } from './statement.ts';

/** `oauth-pull`: fetches over HTTPS with OAuth 2. `file-drop`: takes files that the custodian puts into a folder. */
export const connectorKinds = ['oauth-pull', 'file-drop'] as const;
export type ConnectorKind = (typeof connectorKinds)[number];

/** The settings of a custodian that its connector needs. Addresses are checked again at every connection. */
export interface ConnectorSettings {
  readonly custodian: Id;
  readonly kind: ConnectorKind;
  readonly apiUrl: string | null;
  readonly authorizationUrl: string | null;
  readonly tokenUrl: string | null;
  readonly revocationUrl: string | null;
  /** Who has to have given the answer to a request for consent; null if the custodian does not say. */
  readonly oauthIssuer: string | null;
  readonly oauthClientId: string | null;
  /** In clear: never logged, never shown. */
  readonly oauthClientSecret: string | null;
  readonly oauthScope: string | null;
}

/** The addresses to which a connector sends codes, tokens and the client secret. */
export type SecretAddresses = Pick<ConnectorSettings, 'apiUrl' | 'tokenUrl' | 'revocationUrl'>;

/** The origins of these addresses. Consent is given for them: what it gives is sent nowhere else. */
export function secretOrigins({ apiUrl, tokenUrl, revocationUrl }: SecretAddresses): readonly string[] {
  const addresses = [apiUrl, tokenUrl, revocationUrl].filter((address) => address !== null);
  return [...new Set(addresses.map((address) => new URL(address).origin))].toSorted();
}

interface ConnectorCall {
  readonly settings: ConnectorSettings;
  readonly signal: AbortSignal;
}

export interface BeginConsent extends ConnectorCall {
  /** Has to come back with the callback, unchanged. */
  readonly state: string;
  /** The address of this service that the custodian sends the person back to. */
  readonly callbackUrl: string;
}

export interface BegunConsent {
  /** Where the person gives consent. */
  readonly redirectUrl: string;
  /** What completing needs, such as the verifier of PKCE. */
  readonly pending: string;
}

export interface CompleteConsent extends ConnectorCall {
  readonly callbackUrl: string;
  readonly pending: string;
  /** The query parameters that the person came back with. */
  readonly parameters: Readonly<Record<string, string>>;
}

export interface CompletedConsent {
  readonly credentials: string;
  /** When the consent ends, as far as the custodian says. */
  readonly expiresAt: number | null;
}

/** An account or depository as the custodian lists it. */
export interface ConnectorAccount {
  readonly kind: 'account' | 'depository';
  /** Its number, as statements name it. */
  readonly number: string;
  readonly name: string | null;
  readonly currency: string | null;
}

/** The access that an authority gives to one custodian. */
export interface ConnectorAccess extends ConnectorCall {
  readonly authority: Id;
  readonly credentials: string;
  /** Stores renewed credentials at once: the former ones may have become invalid. */
  saveCredentials(credentials: string): Promise<void>;
  /** Where the secrets of this consent could be sent when it was given: for credentials of earlier releases, which do not say it. */
  originsAtConsent(): Promise<readonly string[]>;
}

export interface FetchSince {
  /** The mark of the last page that was booked; null at the first run. A run that was interrupted resumes at it. */
  readonly mark: string | null;
}

/** A part of what there is since a mark: small enough for memory, and complete up to its own mark. */
export interface FetchedPage {
  readonly items: readonly StatementItem[];
  /** A file that is imported as a whole, after the items. */
  readonly file?: FetchedFile;
  /** Where the next fetch goes on once these items are booked. */
  readonly mark: string;
}

export interface FetchedFile {
  readonly name: string;
  /** SHA-256 of its bytes, in hexadecimal. */
  readonly digest: string;
  /** Its bytes from the beginning, again if importing it is tried again. */
  read(): AsyncIterable<Uint8Array>;
}

/** Something that a connector cannot do without: a setting of the custodian, or of this service. */
export interface MissingSetting {
  readonly field: keyof ConnectorSettings | 'connector';
  /** What is missing, and what to set. */
  readonly detail: string;
}

export interface Connector {
  readonly kind: ConnectorKind;
  /** What has to be set before anything can be fetched. Absent where that is nothing. */
  listMissing?(settings: Omit<ConnectorSettings, 'kind' | 'oauthClientSecret'>): readonly MissingSetting[];
  /** Absent where no consent is given on pages of the custodian. Makes the address without calling anybody. */
  beginConsent?(begin: BeginConsent): Promise<BegunConsent>;
  completeConsent?(complete: CompleteConsent): Promise<CompletedConsent>;
  /** What the consent is for. Absent where only files say which accounts there are. */
  listAccounts?(access: ConnectorAccess): Promise<readonly ConnectorAccount[]>;
  fetchSince(access: ConnectorAccess, since: FetchSince): AsyncIterable<FetchedPage>;
  /** Withdraws the consent at the custodian. Absent where that cannot be done through the connector. */
  revoke?(access: ConnectorAccess): Promise<void>;
}

export type Connectors = ReadonlyMap<ConnectorKind, Connector>;

/**
 * `consent-refused`: the person or the custodian said no. `credentials-broken`: consent has ended or was withdrawn there.
 * `address-changed`: the settings name a host that consent was not given for, and nothing was sent there.
 */
export type ConnectorFailureKind =
  | 'consent-refused'
  | 'credentials-broken'
  | 'address-changed'
  | 'unavailable'
  | 'invalid-answer';

/** Thrown by connectors. Its message is for the administrators of the workspace and contains no secret. */
export class ConnectorFailure extends Error {
  readonly kind: ConnectorFailureKind;

  constructor(kind: ConnectorFailureKind, detail: string, cause?: unknown) {
    super(detail, cause === undefined ? undefined : { cause });
    this.name = 'ConnectorFailure';
    this.kind = kind;
  }
}
