// The steps of an auth flow: it is started, given an operator, submitted, granted or cancelled. The authority of a first flow takes
// every step with it.

import { defined } from '../../kit/assert.ts';
import { dayMs } from '../../kit/clock.ts';
import type { Id } from '../../kit/id.ts';
import { refusalForFaults } from '../../kit/refusal.ts';
import type { AnyChange, ChangeOf } from '../../kit/resource.ts';
import { authFlow, type AuthFlow } from '../../model/custody/auth-flow.ts';
import { authority, type Authority } from '../../model/custody/authority.ts';
import { nextState, type AuthorityAction, type AuthorityState } from '../../model/custody/authority-state.ts';
import type { authFlowStart } from '../../model/custody/custody-requests.ts';
import { depository } from '../../model/structure/depository.ts';
import { legalEntity } from '../../model/structure/legal-entity.ts';
import { custodian, custodianSettings } from '../../model/structure/custodian.ts';
import { user } from '../../model/people/user.ts';
import { openPeople } from '../people/user.ts';
import { auditRecord, getRecord, notFound, type Rules } from '../core/resource.ts';
import type { Work } from '../core/work.ts';
import { authorityRules, changeAuthority, lockAuthority } from './authority.ts';
import { linkCoverage, reportConnection, usualCoverage, type Coverage } from './authority-coverage.ts';
import { getCustodianSettings } from './custodian-settings.ts';

export const authFlowRules: Rules<typeof authFlow> = {
  resource: authFlow,
  async show(work, records) {
    const received = await work.store.custody.flows.listReceived(records.map(({ id }) => id));
    return records.map((record) => ({
      ...record,
      missingFiles: record.expectedFiles.filter((name) => received.get(record.id)?.has(name) !== true),
    }));
  },
};

export function showFlow(work: Work, { id }: { readonly id: Id }): Promise<AuthFlow> {
  return getRecord(work, authFlowRules, id);
}

function firstState(expectedFiles: readonly string[]): AuthorityState {
  return expectedFiles.length > 0 ? 'waiting-for-files' : 'waiting-for-consent';
}

interface ConsentSubject {
  readonly client: Id;
  readonly legalEntity: Id;
  readonly depository: Id | null;
}

/** Locks the legal entity or depository that consent is asked for. */
async function lockSubject(work: Work, input: ChangeOf<typeof authFlowStart>): Promise<ConsentSubject> {
  const { legalEntity: entityId = null, depository: depositoryId = null } = input;
  if (depositoryId !== null) {
    const [kept] = await work.store.table(depository).lockReferencedRecords([depositoryId]);
    if (kept === undefined) throw notFound(depository, { field: 'depository' });
    if (entityId !== null && entityId !== kept.legalEntity) {
      const detail = 'The depository belongs to another legal entity. Send only the depository.';
      throw refusalForFaults('invalid-document', [{ code: 'invalid-attribute', detail, field: 'legalEntity' }]);
    }
    return { client: kept.client, legalEntity: kept.legalEntity, depository: kept.id };
  }
  if (entityId === null) {
    const detail = 'Send legal_entity_id or depository_id.';
    throw refusalForFaults('invalid-document', [{ code: 'missing-attribute', detail, field: 'legalEntity' }]);
  }
  const [owner] = await work.store.table(legalEntity).lockReferenced([entityId]);
  if (owner === undefined) throw notFound(legalEntity, { field: 'legalEntity' });
  return { client: defined(owner.client, 'a legal entity has a client'), legalEntity: owner.id, depository: null };
}

/** Starts a flow with a new authority, as the custodian's settings say. */
export async function startAuthFlow(work: Work, input: ChangeOf<typeof authFlowStart>): Promise<AuthFlow> {
  const subject = await lockSubject(work, input);
  const custodianId = defined(input.custodian, 'a new auth flow names a custodian');
  const [settings] = await work.store.table(custodianSettings).lockReferencedRecords([custodianId]);
  if (settings === undefined) throw notFound(custodian, { field: 'custodian' });
  const { expectedFiles } = settings;
  const common = {
    ...subject,
    custodian: custodianId,
    createdAt: new Date(work.now),
    state: firstState(expectedFiles),
  };
  const created = await work.store.table(authority).insert(work.ids.next(), common);
  auditRecord(work, authorityRules, 'create', { after: created });
  return insertFlow(work, created, { ...common, purpose: 'grant', ...requirementsOf(settings) });
}

/** The custodian's requirements, as they are now. */
function requirementsOf(settings: Pick<AuthFlow, 'expectedFiles' | 'supportedConsentTypes'>): AnyChange {
  const { expectedFiles, supportedConsentTypes } = settings;
  return { expectedFiles, supportedConsentTypes };
}

async function insertFlow(work: Work, { id }: Authority, fields: AnyChange): Promise<AuthFlow> {
  const created = await work.store.table(authFlow).insert(work.ids.next(), { ...fields, authority: id });
  auditRecord(work, authFlowRules, 'create', { after: created });
  return showFlow(work, created);
}

/** Starts a flow that renews an active authority: it stays active meanwhile. */
export async function reconnectAuthority(work: Work, id: string): Promise<AuthFlow> {
  const present = await lockAuthority(work, id);
  nextState('authority', present.state, 'reconnect');
  const settings = await getCustodianSettings(work, present.custodian);
  // The custodian has its files from the first flow.
  const expected = { ...requirementsOf(settings), expectedFiles: [] };
  const { client, legalEntity: entity, depository: kept, custodian: by } = present;
  const subject = { client, legalEntity: entity, depository: kept, custodian: by };
  const fields = {
    ...subject,
    createdAt: new Date(work.now),
    state: firstState([]),
    purpose: 'reconnect',
    ...expected,
  };
  return insertFlow(work, present, fields);
}

export interface LockedFlow {
  readonly flow: AuthFlow;
  readonly authority: Authority;
}

/** Locks a flow and its authority, in the order that all steps do. */
export async function lockFlow(work: Work, id: string): Promise<LockedFlow> {
  const found = await work.store.table(authFlow).find(id);
  if (found === undefined) throw notFound(authFlow);
  const present = await lockAuthority(work, found.authority);
  const flow = await work.store.table(authFlow).lock(id, 'to-change');
  if (flow === undefined) throw notFound(authFlow);
  return { flow, authority: present };
}

/** Takes a step, or refuses it. `fields` are those of the flow that change with it. */
export async function takeStep(
  work: Work,
  { flow, authority: present }: LockedFlow,
  action: AuthorityAction,
  fields: AnyChange = {},
): Promise<LockedFlow> {
  const state = nextState('auth flow', flow.state, action);
  const after = await work.store.table(authFlow).update(flow.id, { state, ...fields });
  auditRecord(work, authFlowRules, 'change', { before: flow, after });
  if (flow.purpose !== 'grant' || state === present.state) return { flow: after, authority: present };
  return { flow: after, authority: await changeAuthority(work, present, { state }) };
}

export async function assignOperator(work: Work, id: string, operatorId: Id | null): Promise<AuthFlow> {
  const locked = await lockFlow(work, id);
  if (operatorId !== null) {
    const operator = await openPeople(work).find(operatorId);
    const isMember = operator?.visibleMemberships.some(({ clientId }) => clientId === locked.flow.client) === true;
    if (!isMember) throw notFound(user, { field: 'operatorId' });
  }
  const { flow } = await takeStep(work, locked, 'assign-operator', { operatorId });
  return showFlow(work, flow);
}

/** An operator has passed the consent on to the custodian. */
export async function submitAuthFlow(work: Work, id: string): Promise<AuthFlow> {
  const { flow } = await takeStep(work, await lockFlow(work, id), 'submit');
  return showFlow(work, flow);
}

export async function cancelAuthFlow(work: Work, id: string): Promise<AuthFlow> {
  const fields = { cancelledAt: new Date(work.now), pending_sealed: null, pending_until: null };
  const { flow } = await takeStep(work, await lockFlow(work, id), 'cancel', fields);
  return showFlow(work, flow);
}

export interface Grant extends Coverage {
  /** Undefined: as the custodian's settings say. */
  readonly expiresAt?: number | null;
  readonly credentialsSealed?: Buffer;
}

/** Grants consent: the authority lets data in from now on, and its accounts are connected. */
export async function grantAuthFlow(work: Work, id: string, grant: Grant): Promise<AuthFlow> {
  return grantLocked(work, await lockFlow(work, id), grant);
}

export async function grantLocked(work: Work, locked: LockedFlow, grant: Grant): Promise<AuthFlow> {
  const grantedAt = new Date(work.now);
  const { flow, authority: present } = await takeStep(work, locked, 'grant', {
    grantedAt,
    pending_sealed: null,
    pending_until: null,
  });
  const expiresAt = await endOfConsent(work, flow, grant.expiresAt);
  const granted = await changeAuthority(work, present, {
    grantedAt,
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
    consentType: flow.consentType,
    brokenAt: null,
    brokenReason: null,
    ...(grant.credentialsSealed === undefined ? {} : { credentials_sealed: grant.credentialsSealed }),
  });
  if (present.brokenAt !== null) await reportConnection(work, granted, 'account.connected');
  await linkCoverage(work, granted, await coverageOf(work, flow, granted, grant));
  return showFlow(work, flow);
}

async function coverageOf(work: Work, flow: AuthFlow, granted: Authority, grant: Grant): Promise<Coverage> {
  const { accounts, depositories } = grant;
  if (accounts !== undefined || depositories !== undefined) {
    return { ...(accounts ? { accounts } : {}), ...(depositories ? { depositories } : {}) };
  }
  return flow.purpose === 'grant' ? usualCoverage(work, granted) : {};
}

async function endOfConsent(work: Work, flow: AuthFlow, given: number | null | undefined): Promise<number | null> {
  if (given === undefined) {
    const { consentDays } = await getCustodianSettings(work, flow.custodian);
    return consentDays === null ? null : work.now + consentDays * dayMs;
  }
  if (given === null || given > work.now) return given;
  const detail = 'expires_at must be in the future.';
  throw refusalForFaults('invalid-document', [{ code: 'invalid-attribute', detail, field: 'expiresAt' }]);
}
