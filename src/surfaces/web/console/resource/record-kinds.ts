// The kinds of records that the console has pages for: their place in the API and in the console, and what people call them.

interface RecordKind {
  readonly apiPath: string;
  /** The address of its list; a record's is below it. */
  readonly pagePath: string;
  readonly one: string;
  readonly several: string;
}

function kind(plural: string, one: string, several: string, pagePath = `/console/${plural}`): RecordKind {
  return { apiPath: `/v1/${plural}`, pagePath, one, several };
}

/** By the type that declarations and the audit log use. */
const recordKinds: Readonly<Record<string, RecordKind>> = {
  client: kind('clients', 'client', 'clients'),
  'legal-entity': kind('legal-entities', 'legal entity', 'legal entities'),
  account: kind('accounts', 'account', 'accounts'),
  depository: kind('depositories', 'depository', 'depositories'),
  'reporting-entity': kind('reporting-entities', 'reporting entity', 'reporting entities'),
  portfolio: kind('portfolios', 'portfolio', 'portfolios'),
  custodian: kind('custodians', 'custodian', 'custodians'),
  instrument: kind('instruments', 'instrument', 'instruments'),
  'instrument-class': kind('instrument-classes', 'instrument class', 'instrument classes'),
  'fx-rate': kind('fx-rates', 'exchange rate', 'exchange rates'),
  limit: kind('limits', 'limit', 'limits'),
  administrator: kind('administrators', 'administrator', 'administrators'),
  user: kind('users', 'person', 'people', '/console/people'),
  transaction: kind('transactions', 'booking', 'bookings', '/console/bookings'),
  'identifier-mapping': kind('identifier-mappings', 'identifier mapping', 'identifier mappings'),
  'import-profile': kind('import-profiles', 'import profile', 'import profiles'),
  'calculation-round': kind('calculation-rounds', 'calculation round', 'calculation rounds', '/console/rounds'),
  webhook: kind('webhooks', 'webhook', 'webhooks'),
};

export function findRecordKind(type: string): RecordKind | undefined {
  return recordKinds[type];
}

export function recordKind(type: string): RecordKind {
  const found = recordKinds[type];
  if (found === undefined) throw new Error(`The console knows no records of the type ${type}.`);
  return found;
}

export function recordAddress(type: string, id: string): string | undefined {
  const found = recordKinds[type];
  return found === undefined ? undefined : `${found.pagePath}/${encodeURIComponent(id)}`;
}

/** Where the changes of a record are listed. */
export function historyAddress(type: string, id: string): string {
  return `/console/developers/audit?${new URLSearchParams({ subject_type: type, subject_id: id }).toString()}`;
}

/** What a record is called where it is named in a sentence or a link. */
export function nameOf(record: Readonly<Record<string, unknown>>): string {
  const names = [
    record['name'],
    record['label'],
    record['email'],
    record['external_identifier'],
    eventName(record),
    pairName(record),
    roundName(record),
    record['id'],
  ];
  return String(names.find((name) => typeof name === 'string' && name !== '') ?? '');
}

/** A round has no name either: when it began. */
function roundName({ causes, started_at: startedAt }: Readonly<Record<string, unknown>>): string | undefined {
  if (!Array.isArray(causes) || typeof startedAt !== 'string') return undefined;
  return `Round of ${startedAt.slice(0, 10)}, ${startedAt.slice(11, 19)} UTC`;
}

/** A booking has no name: its type and its day. */
function eventName({ type, date }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof type === 'string' && typeof date === 'string'
    ? `${type.charAt(0).toUpperCase()}${type.slice(1).replaceAll('-', ' ')} of ${date}`
    : undefined;
}

/** An exchange rate has no name: its pair. */
function pairName({ base, quote }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof base === 'string' && typeof quote === 'string' ? `${base} to ${quote}` : undefined;
}
