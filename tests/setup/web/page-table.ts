// Every page that people look at, by the world that its address is filled in from: the tests in Chromium and the tests of sizes
// visit them all, and a test fails for a page that is not here.

export interface TablePage {
  readonly name: string;
  /** With the names of the world in braces: `/console/accounts/{account}`. */
  readonly path: string;
  /** 200 if it is not given. */
  readonly status?: number;
  /** Text that has to be there, also without scripts. */
  readonly text?: string;
}

export type PageGroup = keyof typeof pageTable;

type Row = readonly [name: string, path: string, more?: Pick<TablePage, 'status' | 'text'>];

function pages(...rows: readonly Row[]): readonly TablePage[] {
  return rows.map(([name, path, more]) => ({ name, path, ...more }));
}

/** The pages that every kind of record has. */
function recordPages(type: string, plural: string, ...without: readonly ('list' | 'new' | 'edit')[]): TablePage[] {
  const path = `/console/${plural}`;
  const all: readonly Row[] = [
    ['list', path],
    ['new', `${path}/new`],
    ['record', `${path}/{${type}}`],
    ['edit', `${path}/{${type}}/edit`],
    ['delete', `${path}/{${type}}/delete`],
  ];
  const wanted = all.filter(([name]) => !without.some((one) => one === name));
  return wanted.map(([name, address]) => ({ name: `${plural}: ${name}`, path: address }));
}

const entity = '/entities/{entity}';
const custody = '/console/custody';
const developers = '/console/developers';

export const pageTable = {
  portal: pages(
    ['the overview', '/'],
    ['the overview of an entity', `${entity}?period=all`],
    ['an entity in another currency, without a rate', `${entity}?currency=JPY`, { status: 422 }],
    ['the holdings', `${entity}/holdings`],
    ['the accounts and lots of an instrument', `${entity}/holdings?open={stock}`],
    ['a search that finds nothing', `${entity}/holdings?text=nobody`],
    ['the own account', '/me'],
    ['activity', `${entity}/activity`, { text: 'Novartis AG' }],
    ['a booking', `${entity}/activity/{bought}`, { text: 'Corrected by the bank' }],
    ['limits', `${entity}/limits`, { text: 'Francs and euros' }],
    ['data quality', `${entity}/data-quality`, { text: 'Units of an unnamed instrument' }],
    ['then and today', `${entity}/known?known_at={known-at}`, { text: 'Booking corrected' }],
  ),
  'portal-figures': pages(
    ['performance', `${entity}/performance?start=2025-01-01&as_of=2026-09-30`],
    ['private markets', `${entity}/private-markets?as_of=2026-09-30`],
    ['income', `${entity}/income?start=2025-01-01&as_of=2026-09-30`],
    ['realised gains', `${entity}/realised-gains?start=2025-01-01&as_of=2026-09-30`],
    ['the explanation of a return', `${entity}/explain?figure=cumulative_twr&start=2025-01-01&end=2026-09-30`],
    ['the explanation of a value', `${entity}/explain?figure=market_value&as_of=2026-09-30`],
    ['the explanation of a part', `${entity}/explain?figure=market_value&as_of=2026-09-30&at=0.0`],
    ['the report', `${entity}/report?start=2025-01-01&as_of=2026-09-30`],
  ),
  'console-records': [
    ...pages(
      ['the first page', '/console'],
      ['the tree of clients', '/console/clients', { text: 'Astrid' }],
      ['a search in the tree', '/console/clients?q=astrid', { text: 'Astrid' }],
      ['the move of a client', '/console/clients/{branch}/move'],
    ),
    ...recordPages('client', 'clients', 'list'),
    ...recordPages('legal-entity', 'legal-entities'),
    ...recordPages('account', 'accounts'),
    ...recordPages('depository', 'depositories'),
    ...recordPages('custodian', 'custodians'),
    ...recordPages('reporting-entity', 'reporting-entities'),
    ...pages([
      'portfolios: the accounts to choose',
      '/console/portfolios/new?reporting_entity_id={reporting-entity}&client_id={client}',
      { text: 'Accounts' },
    ]),
    ...recordPages('portfolio', 'portfolios'),
    ...recordPages('user', 'people'),
    ...pages(['the erasure of a person', '/console/people/{user}/erase']),
    ...recordPages('administrator', 'administrators', 'edit'),
    ...pages(
      ['the settings', '/console/settings', { text: 'Environment' }],
      ['calculation rounds', '/console/rounds'],
      ['a calculation round', '/console/rounds/{calculation-round}'],
    ),
  ],
  'console-developers': pages(
    ['applications and keys', developers],
    ['a new application', `${developers}/applications/new`],
    ['an application', `${developers}/applications/{application}`],
    ['the deletion of an application', `${developers}/applications/{application}/delete`],
    ['a new key', `${developers}/keys/new`],
    ['a key', `${developers}/keys/{key}`],
    ['the deletion of a key', `${developers}/keys/{key}/delete`],
    ['webhooks', `${developers}/webhooks`],
    ['a new webhook', `${developers}/webhooks/new`],
    ['a webhook', `${developers}/webhooks/{webhook}`],
    ['a webhook that fails', `${developers}/webhooks/{failing-webhook}`],
    ['the form of a webhook', `${developers}/webhooks/{webhook}/edit`],
    ['the deletion of a webhook', `${developers}/webhooks/{failing-webhook}/delete`],
    ['a delivery', `${developers}/deliveries/{delivery}`],
    ['a delivery that failed', `${developers}/deliveries/{failed-delivery}`],
    ['dead letters', `${developers}/dead-letters`],
    ['events', `${developers}/events`],
    ['an event', `${developers}/events/{event}`],
    ['the audit log of a record', `${developers}/audit?subject_id={failing-webhook}`],
    ['the request log', `${developers}/requests`],
    ['the usage', `${developers}/usage`],
    ['rounds with their causes', `${developers}/rounds`],
  ),
  'console-custody': [
    ...pages(
      ['the list of imports', '/console/imports'],
      ['an import that waits for names', '/console/imports/{waiting-import}'],
      ['an import whose account is searched', '/console/imports/{unnamed-import}?find=account&q=current'],
      ['an import whose trades wait', '/console/imports/{trades-import}', { text: 'trade' }],
      ['the deletion of an import', '/console/imports/{waiting-import}/delete'],
      ['an import that was booked', '/console/imports/{import}'],
      ['the undoing of an import', '/console/imports/{import}/undo'],
      ['imports under way', '/console/imports/under-way', { text: '12,000 of 16,000 rows' }],
      ['an import under way', '/console/imports/{working-import}', { text: '12,000 of 16,000 rows' }],
      ['connections', custody],
      ['a new connection', `${custody}/auth-flows/new`],
      ['an auth flow', `${custody}/auth-flows/{auth-flow}`],
      ['an authority', `${custody}/authorities/{authority}`],
      ['the revocation of an authority', `${custody}/authorities/{authority}/revoke`],
      ['runs of feeds', `${custody}/feeds`],
      ['a run of a feed', `${custody}/feeds/{feed-run}`],
      ['breaks', `${custody}/breaks`],
      ['a break', `${custody}/breaks/{reconciliation-break}`],
      ['the reconciliation', `${custody}/reconciliation?client_id={client}`],
    ),
    ...recordPages('instrument', 'instruments'),
    ...pages(['the deletion of a price', '/console/instruments/{instrument}/{series}/{price}/delete']),
    ...recordPages('instrument-class', 'instrument-classes'),
    ...recordPages('fx-rate', 'fx-rates', 'edit'),
    ...recordPages('limit', 'limits'),
    ...pages(['a what-if', '/console/limits/what-if'], ['data quality', '/console/data-quality']),
    ...pages(
      ['bookings', '/console/bookings?client_id={client}'],
      ['a new booking', '/console/bookings/new?type=buy'],
      ['a booking', '/console/bookings/{transaction}'],
      ['the form of a booking', '/console/bookings/{transaction}/edit'],
      ['the deletion of a booking', '/console/bookings/{transaction}/delete'],
    ),
  ],
  'console-sandbox': pages(
    ['families of the sandbox', '/console/sandbox', { text: 'Morgenrot Foundation' }],
    ['a family of the sandbox', '/console/sandbox/{family}', { text: 'Let time pass' }],
    ['the deletion of a family', '/console/sandbox/{family}/delete'],
  ),
  visitors: pages(
    ['the sign-in', '/sign-in', { text: 'Sign in' }],
    ['a sign-in that cannot continue', '/sign-in/callback', { status: 400 }],
    ['an invite', '/invites/{invite-secret}', { text: 'You are invited' }],
    ['an invite that nobody sent', '/invites/{unknown-secret}', { status: 404 }],
    ['a consent that was not given', '/connect/callback/{unknown-secret}?state=unknown', { status: 400 }],
    [
      'a consent that was not given at a custodian of an earlier release',
      '/connect/callback?state=unknown',
      { status: 400 },
    ],
    ['an address that is not served', '/nowhere', { status: 404 }],
  ),
  'refused-people': pages(
    ['a page for others', '/console/imports', { status: 403 }],
    ['an entity that is not theirs', '/entities/{unknown}', { status: 404 }],
  ),
} as const satisfies Readonly<Record<string, readonly TablePage[]>>;

/** Addresses that people get files from, or that programs read. */
export const notLookedAt: readonly string[] = ['/console.css', '/islands/{name}', '/console/people/{id}/export'];

/** Whether an address of the table is one of a declared path: parameters stand for names of the world. */
export function isAt(declared: string, { path }: TablePage): boolean {
  const [wanted, shown] = [declared.split('/'), path.replace(/\?.*/, '').split('/')];
  if (wanted.length !== shown.length) return false;
  return wanted.every((part, index) => {
    const other = shown[index] ?? '';
    return part === other || (part.startsWith('{') && other.startsWith('{'));
  });
}
