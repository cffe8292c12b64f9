// Tests which tenants are listed as having something to do: at the moment itself, a millisecond away from it, and beside rows that are no work.

import { beforeAll, describe, expect, test } from 'vitest';
import { insertBareRows, type BareRow, type RowValues } from '../../../tests/setup/database/bare-rows.ts';
import { serviceForThisFile } from '../../../tests/setup/node/test-service.ts';
import type { CalendarDate } from '../../kit/calendar-date.ts';
import { dayMs } from '../../kit/clock.ts';
import { firstIdAt, type Id } from '../../kit/id.ts';
import type { Tenant } from '../../model/access/scope.ts';
import type { ExpiryCutoffs } from '../access/expiry.ts';
import type { LongestWaits } from './clock-setback.ts';
import type { DueTenantLists } from './due-tenants.ts';

const service = serviceForThisFile();

const now = Date.parse('2026-11-15T12:00:00Z');
const today = '2026-11-15' as CalendarDate;
const at = (ms: number): Date => new Date(now + ms);

/** What a tenant has, by the reason for which it is listed, or is not. */
interface Cases {
  readonly listed: Readonly<Record<string, readonly BareRow[]>>;
  readonly unlisted: Readonly<Record<string, readonly BareRow[]>>;
}

/** Row by row, the values that a plain row of a table is given. */
const rowOf =
  (table: string, plain: RowValues = {}) =>
  (values: RowValues = {}): BareRow => [table, { ...plain, ...values }];

const flag = rowOf('round_mark');
const sharedFlag = rowOf('shared_round_mark');
const openRound = rowOf('calculation_round', { state: 'running' });
const finishedRound = rowOf('calculation_round', { state: 'finished', finished_at: at(0) });
const outboxEntry = rowOf('outbox', { order_key: '' });
const queue = rowOf('delivery_queue', { webhook_id: 'hook' });
const webhook = rowOf('webhook', { id: 'hook', scheme: 'standard', state: 'enabled' });
const disabledWebhook = rowOf('webhook', {
  id: 'hook',
  scheme: 'standard',
  state: 'disabled',
  disabled_reason: 'gone',
  disabled_at: at(0),
});
const waitingMail = rowOf('mail', { message_sealed: '\\x00' });
const sentMail = rowOf('mail', { sent_at: at(0) });
const waitingRun = rowOf('feed_run', { state: 'waiting', authority_id: 'one' });
const runningRun = rowOf('feed_run', { state: 'running', authority_id: 'one' });
const finishedRun = rowOf('feed_run', { state: 'finished', authority_id: 'one', finished_at: at(-dayMs) });
const bank = rowOf('custodian', { id: 'bank', connector: 'oauth-pull' });
const otherBank = bank({ id: 'other', folded_name: 'other' });
const authority = rowOf('authority', {
  id: 'one',
  custodian_id: 'bank',
  state: 'active',
  credentials_sealed: '\\x00',
});
const broken = { broken_at: at(0), broken_reason: 'x' };
const warning = rowOf('authority_warning', { authority_id: 'one', days: 30, mailed_at: at(0) });
const session = rowOf('session');
const assertion = rowOf('used_assertion');
const answer = rowOf('idempotent_answer');
const request = rowOf('request_log', { outcome: 'answered' });
const event = rowOf('event', { data: '{}' });
const limitState = rowOf('limit_state', {
  kind: 'absolute',
  state: 'compliant',
  current_value: 1,
  since: at(-100 * dayMs),
});
const auditLine = rowOf('audit_entry', { act: 'create' });
const checkedImport = rowOf('import', { state: 'checked', origin: 'file' });
const chainOf = (number: number): BareRow => rowOf('audit_chain', { hash: '\\x00' })({ number });
const endOf = (number: number): BareRow => rowOf('request_log_end')({ number });
const shipment = rowOf('log_shipment', { log: 'audit', destination: 'https', position: 4 });
const signingKey = rowOf('signing_key', { id: '1' });
const newerKey = rowOf('signing_key', { id: '2' });
const webhookKey = rowOf('webhook_key', { private_sealed: '\\x00' });

const inSandbox = ([table, values]: BareRow): BareRow => [table, { ...values, environment: 'sandbox' }];
let strangerCount = 0;
const elsewhere = ([table, values]: BareRow): BareRow => [
  table,
  { ...values, workspace_id: `stranger ${++strangerCount}` },
];
const environmentWith = (values: RowValues): BareRow => ['environment', values];
/** Nothing of an environment is due. */
const quiet = { day_marked: today, taxonomy_at: at(0) };

/** Inserts the rows of each case into a workspace of its own, which has its name. */
async function insertCases({ listed, unlisted }: Cases): Promise<void> {
  for (const [name, rows] of Object.entries({ ...listed, ...unlisted })) {
    const has = (table: string): boolean => rows.some(([own]) => own === table);
    const usual = [rowOf('workspace')(), environmentWith(quiet)].filter(([table]) => !has(table));
    await insertBareRows(service.database, { workspaceId: name as Id, environment: 'production' }, [...usual, ...rows]);
  }
}

/** Each kind is kept until another moment. */
const cutoffs: ExpiryCutoffs = {
  now,
  sessionsBefore: now - dayMs,
  requestsBefore: now - 2 * dayMs,
  eventsBefore: now - 3 * dayMs,
  signingKeysBefore: now - 4 * dayMs,
  webhookKeysBefore: now - 5 * dayMs,
  mailsBefore: now - 6 * dayMs,
  roundsBefore: now - 7 * dayMs,
  limitStatesBefore: now - 8 * dayMs,
  auditLinesBefore: now - 9 * dayMs,
  requestCountsBefore: now - 10 * dayMs,
  unbookedImportsBefore: now - 11 * dayMs,
};
const idAt = (ms: number): string => firstIdAt(now + ms);

/** How far each rule may put a moment, in steps that are told apart. */
const longestWaits: LongestWaits = {
  deliveryLease: 1_000,
  roundLease: 3_000,
  roundRetry: { first: 2_000, max: 4_000 },
  feedLease: 5_000,
  feedWait: 6_000,
  mailLease: 7_000,
  mailRetry: { first: 8_000, max: 9_000 },
  idempotentAnswer: 10_000,
  session: 11_000,
  previousSecret: 12_000,
};
const skewMs = 100;
const previousSecret = (until: Date): BareRow =>
  webhook({ previous_secret_sealed: '\\x00', previous_secret_until: until });

interface ListCases extends Cases {
  list(lists: DueTenantLists): Promise<readonly Tenant[]>;
}

const suspended = [rowOf('workspace', { state: 'suspended' })()];

const lists: Readonly<Record<string, ListCases>> = {
  rounds: {
    list: (due) => due.withRounds({ now, today }),
    listed: {
      'a client was flagged': [flag({ since: at(0) })],
      'a client was flagged a moment later': [flag({ since: at(1) })],
      'several clients were flagged': [sharedFlag()],
      'a lease ends now': [openRound({ lease_until: at(0) }), environmentWith({ day_marked: today })],
      'a failed round is tried again now': [openRound({ lease_until: at(0), state: 'failed', error: 'x' })],
      'no day was flagged': [environmentWith({ day_marked: null })],
      'the day before was flagged': [environmentWith({ day_marked: '2026-11-14' })],
    },
    unlisted: {
      'a lease lasts': [openRound({ lease_until: at(1) })],
      'a round is finished': [finishedRound({ lease_until: at(-1) })],
      'today was flagged': [environmentWith({ day_marked: today })],
      'a client of a suspended workspace was flagged': [flag(), ...suspended],
    },
  },
  deliveries: {
    list: (due) => due.withDeliveries(now),
    listed: {
      'events were not handed out': [outboxEntry()],
      'a queue is due now': [queue({ due_at: at(0) }), webhook()],
    },
    unlisted: {
      'a queue is due a moment later': [queue({ due_at: at(1) }), webhook()],
      'the webhook is disabled': [queue({ due_at: at(0) }), disabledWebhook()],
      'another webhook is enabled': [queue({ due_at: at(0) }), disabledWebhook(), webhook({ id: 'other' })],
      'that of the sandbox is enabled': [queue({ due_at: at(0) }), disabledWebhook(), inSandbox(webhook())],
      'that of somebody else is enabled': [queue({ due_at: at(0) }), disabledWebhook(), elsewhere(webhook())],
      'events of a suspended workspace were not handed out': [outboxEntry(), ...suspended],
    },
  },
  mails: {
    list: (due) => due.withMails(now),
    listed: { 'a mail is due now': [waitingMail({ next_attempt_at: at(0) })] },
    unlisted: {
      'a mail is due a moment later': [waitingMail({ next_attempt_at: at(1) })],
      'a mail was sent': [sentMail()],
    },
  },
  feeds: {
    list: (due) => due.withFeeds(now),
    listed: {
      'a run is due now': [waitingRun({ due_at: at(0) })],
      'the lease of a run ends now': [runningRun({ due_at: at(-2), lease_until: at(0) })],
      'an authority has no run': [bank(), authority()],
      'an authority ends a moment later': [bank(), authority({ expires_at: at(1) })],
      'files are dropped, which needs no credentials': [
        bank({ connector: 'file-drop' }),
        authority({ credentials_sealed: null }),
      ],
      'its run is finished': [bank(), authority(), finishedRun()],
      'another authority has a run': [bank(), authority(), waitingRun({ due_at: at(1), authority_id: 'other' })],
      'the authority of the sandbox has a run': [bank(), authority(), inSandbox(waitingRun({ due_at: at(1) }))],
      'the authority of a stranger has a run': [bank(), authority(), elsewhere(waitingRun({ due_at: at(1) }))],
    },
    unlisted: {
      'a run is due a moment later': [waitingRun({ due_at: at(1) })],
      'the lease of a run lasts': [runningRun({ due_at: at(-2), lease_until: at(1) })],
      'a run is over': [finishedRun({ due_at: at(-2) })],
      'an authority has a run that waits': [bank(), authority(), waitingRun({ due_at: at(1) })],
      'an authority ends now': [bank(), authority({ expires_at: at(0) })],
      'an authority is broken': [bank(), authority(broken)],
      'an authority is not active yet': [bank(), authority({ state: 'waiting-for-consent' })],
      'an authority has no credentials': [bank(), authority({ credentials_sealed: null })],
      'a custodian has no connector': [bank({ connector: null }), authority()],
      'another custodian has a connector': [bank({ connector: null }), authority(), otherBank],
      'that of the sandbox has a connector': [bank({ connector: null }), authority(), inSandbox(bank())],
      'that of a stranger has a connector': [bank({ connector: null }), authority(), elsewhere(bank())],
    },
  },
  'lines of the audit log': {
    list: (due) => due.withUnchainedLines(),
    listed: { 'a line is not chained': [rowOf('unchained_audit_entry')()] },
    unlisted: { 'a line is chained': [auditLine()] },
  },
  'logs that are shipped': {
    list: (due) =>
      due.withShipments({
        now,
        latestDue: now + 1_000,
        destinations: ['https', 'otlp'],
        shipsAudit: true,
        shipsRequests: true,
      }),
    listed: {
      'nothing was shipped yet': [chainOf(1)],
      'the chain reaches further than one destination has': [
        chainOf(5),
        shipment({ due_at: at(0) }),
        shipment({ destination: 'otlp', position: 5 }),
      ],
      'its lease ends further ahead than any': [
        chainOf(5),
        ...['https', 'otlp'].map((destination) => shipment({ destination, due_at: at(1_001) })),
      ],
      'a line of the request log has no number': [request()],
      'the request log reaches further': [
        endOf(5),
        ...['https', 'otlp'].map((destination) => shipment({ log: 'requests', destination })),
      ],
    },
    unlisted: {
      'each destination has all': [
        chainOf(4),
        request({ number: 4 }),
        endOf(4),
        ...['https', 'otlp'].flatMap((destination) => [
          shipment({ destination }),
          shipment({ log: 'requests', destination }),
        ]),
      ],
      'another node has the batch': [
        chainOf(5),
        shipment({ due_at: at(1) }),
        shipment({ destination: 'otlp', due_at: at(1_000) }),
      ],
      'that of a stranger is behind': [
        chainOf(4),
        ...['https', 'otlp'].flatMap((destination) => [
          shipment({ destination }),
          inSandbox(shipment({ destination, position: 1 })),
        ]),
        elsewhere(shipment({ position: 1 })),
      ],
      'it is suspended': [...suspended, chainOf(5)],
    },
  },
  'logs that are not shipped': {
    list: (due) =>
      due.withShipments({ now, latestDue: now, destinations: ['file'], shipsAudit: false, shipsRequests: false }),
    listed: {},
    unlisted: { 'there is something': [chainOf(5), endOf(5), request()] },
  },
  revocations: {
    list: (due) => due.withRevocations(),
    listed: { 'an authority is being revoked': [authority({ state: 'revoke-in-progress' })] },
    unlisted: { 'an authority stays': [authority({ state: 'active' })] },
  },
  'ends of authorities': {
    list: (due) => due.withAuthorityEnds(now),
    listed: {
      'it is the first day of a warning': [bank(), authority({ expires_at: at(30 * dayMs) })],
      'a second warning is due': [
        bank(),
        authority({ expires_at: at(7 * dayMs) }),
        warning({ expires_at: at(7 * dayMs) }),
      ],
      'it was warned of an end before': [
        bank(),
        authority({ expires_at: at(20 * dayMs) }),
        warning({ expires_at: at(0) }),
      ],
      'another one was warned': [
        bank(),
        authority({ expires_at: at(19 * dayMs) }),
        warning({ expires_at: at(19 * dayMs), authority_id: 'other' }),
      ],
      'that of the sandbox was warned': [
        bank(),
        authority({ expires_at: at(18 * dayMs) }),
        inSandbox(warning({ expires_at: at(18 * dayMs) })),
      ],
      'that of a stranger was warned': [
        bank(),
        authority({ expires_at: at(17 * dayMs) }),
        elsewhere(warning({ expires_at: at(17 * dayMs) })),
      ],
      'a warning is not mailed': [warning({ mailed_at: null })],
      'an authority has just ended': [authority({ expires_at: at(0) })],
    },
    unlisted: {
      'the first warning is a moment away': [bank(), authority({ expires_at: at(30 * dayMs + 1) })],
      'the warning was given': [
        bank(),
        authority({ expires_at: at(20 * dayMs) }),
        warning({ expires_at: at(20 * dayMs), days: 30 }),
      ],
      'a later warning was given': [
        bank(),
        authority({ expires_at: at(20 * dayMs) }),
        warning({ expires_at: at(20 * dayMs), days: 7 }),
      ],
      'it never ends': [bank(), authority({ expires_at: null })],
      'it is not active yet, and will end': [
        bank(),
        authority({ state: 'waiting-for-consent', expires_at: at(5 * dayMs) }),
      ],
      'it is not active, and has ended': [authority({ state: 'revoked', expires_at: at(0) })],
      'it broke before it ended': [bank(), authority({ expires_at: at(0), ...broken })],
      'only another custodian warns': [
        bank({ expiry_warning_days: [] }),
        otherBank,
        authority({ expires_at: at(5 * dayMs) }),
      ],
      'only that of the sandbox warns': [
        bank({ expiry_warning_days: [] }),
        inSandbox(bank()),
        authority({ expires_at: at(5 * dayMs) }),
      ],
      'only that of a stranger warns': [
        bank({ expiry_warning_days: [] }),
        elsewhere(bank()),
        authority({ expires_at: at(5 * dayMs) }),
      ],
    },
  },
  'what has expired': {
    list: (due) => due.withExpired(cutoffs),
    listed: {
      'an assertion expired a moment ago': [assertion({ expires_at: at(-1) })],
      'an answer expired a moment ago': [answer({ expires_at: at(-1) })],
      'the first of two answers expired': [
        answer({ expires_at: at(-1) }),
        answer({ key_hash: '\\x01', expires_at: at(1) }),
      ],
      'a session was kept for its days': [session({ expires_at: at(-dayMs - 1) })],
      'a request was kept for its days': [request({ id: idAt(-2 * dayMs - 1) })],
      'an event was kept for its days': [event({ id: idAt(-3 * dayMs - 1) })],
      'a signing key was kept for its days': [signingKey({ created_at: at(-4 * dayMs - 1) }), newerKey()],
      'a key of webhooks was kept for its days': [webhookKey({ retired_at: at(-5 * dayMs - 1) })],
      'a mail was counted for its days': [sentMail({ created_at: at(-6 * dayMs - 1) })],
      'a mail was counted for its days, and a day more': [sentMail({ created_at: at(-7 * dayMs) })],
      'a round was kept for its days': [finishedRound({ id: idAt(-7 * dayMs - 1) })],
      'the first round after what was cleared is old': [
        finishedRound({ id: idAt(-7 * dayMs - 2) }),
        environmentWith({ ...quiet, rounds_cleared_to: idAt(-7 * dayMs - 2) }),
      ],
      'a state of a limit was kept for its days': [limitState({ until: at(-8 * dayMs - 1) })],
      'the first state after what was cleared is old': [
        limitState({ until: at(-8 * dayMs - 2) }),
        environmentWith({ ...quiet, limits_cleared_to: at(-8 * dayMs - 2) }),
      ],
      'a line of the audit log was kept for its days': [auditLine({ id: idAt(-9 * dayMs - 1) })],
      'the counts of a day were kept for their days': [rowOf('request_count')({ day: '2026-11-04' })],
      'an import that nobody booked was kept for its days': [checkedImport({ id: idAt(-11 * dayMs - 1) })],
    },
    unlisted: {
      'an assertion expires now': [assertion({ expires_at: at(0) })],
      'an answer expires now': [answer({ expires_at: at(0) })],
      'an answer of the sandbox expired': [inSandbox(answer({ expires_at: at(-1) }))],
      'an answer of a stranger expired': [elsewhere(answer({ expires_at: at(-1) }))],
      'a session is kept for a moment': [session({ expires_at: at(-dayMs) })],
      'a request is kept for a moment': [request({ id: idAt(-2 * dayMs) })],
      'an import that nobody booked is kept for a moment': [checkedImport({ id: idAt(-11 * dayMs) })],
      'an import was booked long ago': [
        checkedImport({ id: idAt(-12 * dayMs), state: 'booked', booked_at: at(-12 * dayMs) }),
      ],
      'an event is kept for a moment': [event({ id: idAt(-3 * dayMs) })],
      'a signing key is kept for a moment': [signingKey({ created_at: at(-4 * dayMs) }), newerKey()],
      'a signing key is the last one': [signingKey({ created_at: at(-40 * dayMs) })],
      'a signing key is older than that of the sandbox': [
        signingKey({ created_at: at(-40 * dayMs) }),
        inSandbox(newerKey()),
      ],
      'a signing key is older than that of a stranger': [
        signingKey({ created_at: at(-40 * dayMs) }),
        elsewhere(newerKey()),
      ],
      'a key of webhooks is kept for a moment': [webhookKey({ retired_at: at(-5 * dayMs) })],
      'a key of webhooks signs': [webhookKey({ retired_at: null })],
      'a key of webhooks lost its private half before': [
        webhookKey({ retired_at: at(-6 * dayMs), private_sealed: null }),
      ],
      'a mail is counted for a moment': [sentMail({ created_at: at(-6 * dayMs) })],
      'a mail was looked at for a day': [sentMail({ created_at: at(-7 * dayMs - 1) })],
      'a mail of long ago waits': [waitingMail({ created_at: at(-6 * dayMs - 1), next_attempt_at: at(0) })],
      'a round is kept for a moment': [finishedRound({ id: idAt(-7 * dayMs) })],
      'a round goes on, however old': [openRound({ id: idAt(-100 * dayMs), lease_until: at(1) })],
      'an old round was cleared': [
        finishedRound({ id: idAt(-7 * dayMs - 2) }),
        environmentWith({ ...quiet, rounds_cleared_to: idAt(-7 * dayMs - 1) }),
      ],
      'a state of a limit is kept for a moment': [limitState({ until: at(-8 * dayMs) })],
      'a state of a limit lasts': [limitState({ until: null })],
      'an old state was cleared': [
        limitState({ until: at(-8 * dayMs - 2) }),
        environmentWith({ ...quiet, limits_cleared_to: at(-8 * dayMs - 1) }),
      ],
      'a line of the audit log is kept for a moment': [auditLine({ id: idAt(-9 * dayMs) })],
      'the counts of a day are kept for a day': [rowOf('request_count')({ day: '2026-11-05' })],
    },
  },
  'moments ahead': {
    list: (due) => due.withMomentsAhead({ now, today, skewMs, longestWaits }),
    listed: {
      'a delivery queue is due later': [queue({ due_at: at(101) })],
      'a client was flagged ahead': [flag({ since: at(101) })],
      'all were flagged ahead': [sharedFlag({ since: at(101) })],
      'a mail waits': [waitingMail({ next_attempt_at: at(101) })],
      'a round waits longer than for its first retry': [openRound({ lease_until: at(2_101) })],
      'a feed is leased for too long': [runningRun({ due_at: at(0), lease_until: at(5_101) })],
      'a feed waits for too long': [waitingRun({ due_at: at(6_101) })],
      'a session was seen ahead': [session({ seen_at: at(101), expires_at: at(1) })],
      'a session lasts for too long': [session({ seen_at: at(0), expires_at: at(11_101) })],
      'a former secret is accepted for too long': [previousSecret(at(12_101))],
      'tomorrow was flagged': [environmentWith({ day_marked: '2026-11-16' })],
      'an answer is kept for too long': [
        answer({ expires_at: at(10_101) }),
        answer({ key_hash: '\\x01', expires_at: at(0) }),
      ],
    },
    unlisted: {
      'a delivery queue is due within the skew': [queue({ due_at: at(100) })],
      'a client was flagged within the skew': [flag({ since: at(100) })],
      'all were flagged within the skew': [sharedFlag({ since: at(100) })],
      'a mail waits within the skew': [waitingMail({ next_attempt_at: at(100) })],
      'a mail is over': [sentMail()],
      'a round waits for its first retry': [openRound({ lease_until: at(2_100) })],
      'a round is over, whatever its lease': [finishedRound({ lease_until: at(2_101) })],
      'a feed is leased, and was put off as far as it may be': [
        runningRun({ due_at: at(6_100), lease_until: at(5_100) }),
      ],
      'a feed is over, whenever it was due': [finishedRun({ due_at: at(6_101) })],
      'a session was seen within the skew': [session({ seen_at: at(100), expires_at: at(11_100) })],
      'a session that ends now was seen ahead': [session({ seen_at: at(101), expires_at: at(0) })],
      'a former secret is accepted as long as it may be': [previousSecret(at(12_100))],
      'the same day was flagged': [environmentWith({ day_marked: today })],
      'an answer is kept as long as it may be': [answer({ expires_at: at(10_100) })],
      'an answer of the sandbox is kept for too long': [
        inSandbox(answer({ expires_at: at(10_101), key_hash: '\\x01' })),
      ],
      'an answer of a stranger is kept for too long': [
        elsewhere(answer({ expires_at: at(10_101), key_hash: '\\x01' })),
      ],
    },
  },
};

describe.each(Object.entries(lists))('the list of tenants with %s', (_what, { list, ...cases }) => {
  beforeAll(() => insertCases(cases));

  test('has those that have some, and no others', async () => {
    const found = (await list(service.context.stores.preAuth.dueTenants)).map(({ workspaceId }) => workspaceId);
    const own = new Set(Object.keys({ ...cases.listed, ...cases.unlisted }));
    expect(found.filter((name) => own.has(name)).toSorted()).toEqual(Object.keys(cases.listed).toSorted());
  });
});
