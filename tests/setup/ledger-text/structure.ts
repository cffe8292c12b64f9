// Reads the structure in a ledger text: the client and its settings, accounts, depositories and portfolios.

import type { Settings } from '../../../src/engine/history/facts.ts';
import type { HoldingPlace } from '../../../src/engine/ledger/transaction.ts';
import type { CostMethod, HoldingPeriod } from '../../../src/engine/lots/lot.ts';
import { usualSettings } from '../engine/usual-settings.ts';
import type { Words } from './words.ts';

const costMethods = ['FIFO', 'AVERAGE', 'SPECIFIC_ID'] as const;

export interface AccountText {
  readonly currency: string;
  readonly depositories: readonly string[];
  readonly isExcluded: boolean;
  /** The method that its custodian enforces. */
  readonly method?: CostMethod;
}

export class Structure {
  readonly accounts = new Map<string, AccountText>();
  /** The accounts and depositories of each portfolio. */
  readonly portfolios = new Map<string, readonly string[]>();
  settings: Settings = usualSettings;

  isDepository(name: string): boolean {
    return [...this.accounts.values()].some(({ depositories }) => depositories.includes(name));
  }

  isPlaceName(name: string): boolean {
    return this.accounts.has(name) || this.isDepository(name);
  }

  account(words: Words, name: string): AccountText {
    return this.accounts.get(name) ?? words.fail(`there is no account "${name}"`);
  }

  /** Reads `A`, `A/D`, or `-/D` for units without an account. */
  place(words: Words): HoldingPlace {
    const [account, depository = null] = words.next('a place').split('/');
    if (account === '-') return { account: null, depository };
    this.account(words, account!);
    if (depository !== null && !this.isDepository(depository)) words.fail(`there is no depository "${depository}"`);
    return { account: account!, depository };
  }

  /** Formats a place for a table. */
  placeText({ account, depository }: HoldingPlace): string {
    if (account === null) return `-/${depository}`;
    return depository === null ? account : `${account}/${depository}`;
  }

  /** Whether a place belongs to one of these portfolios, accounts or depositories. Without names: always. */
  covers({ account, depository }: HoldingPlace, names: readonly string[]): boolean {
    if (account !== null && this.accounts.get(account)?.isExcluded === true) return false;
    const members = names.flatMap((name) => this.portfolios.get(name) ?? [name]);
    return members.length === 0 || members.some((member) => member === account || member === depository);
  }
}

/** Readers by the first word of a line. */
export const structureReaders: ReadonlyMap<string, (words: Words, structure: Structure) => void> = new Map([
  ['client', readClient],
  ['account', readAccount],
  ['portfolio', readPortfolio],
  ['long-term', readLongTerm],
  ['stale', readStaleness],
  ['advisory', readAdvisory],
  ['value-change', readValueChange],
]);

/** `client EUR AVERAGE` */
function readClient(words: Words, structure: Structure): void {
  const referenceCurrency = words.next('a currency');
  const method = words.oneOf(costMethods, 'method');
  structure.settings = { ...structure.settings, referenceCurrency, method };
  words.end();
}

/** `account A EUR, depositories D E`, `account B USD, excluded` and `account C EUR, enforces AVERAGE` */
function readAccount(words: Words, structure: Structure): void {
  const name = words.next('a name');
  const currency = words.next('a currency');
  let account: AccountText = { currency, depositories: [], isExcluded: false };
  words.clauses(
    new Map([
      ['depositories', () => void (account = { ...account, depositories: words.list(['excluded', 'enforces']) })],
      ['excluded', () => void (account = { ...account, isExcluded: true })],
      ['enforces', () => void (account = { ...account, method: words.oneOf(costMethods, 'method') })],
    ]),
  );
  if (structure.isPlaceName(name)) words.fail(`"${name}" is there already`);
  structure.accounts.set(name, account);
}

/** `portfolio P A D` */
function readPortfolio(words: Words, structure: Structure): void {
  const name = words.next('a name');
  structure.portfolios.set(name, words.list([]));
}

function readPeriod(words: Words, count: number): HoldingPeriod {
  const unit = words.oneOf(['years', 'months', 'days'], 'unit');
  return unit === 'years' ? { unit: 'months', count: 12 * count } : { unit, count };
}

/** `long-term after 365 days` */
function readLongTerm(words: Words, structure: Structure): void {
  words.expect('after');
  const count = words.whole();
  structure.settings = { ...structure.settings, longAfter: readPeriod(words, count) };
  words.end();
}

/** `stale listed after 3 days` */
function readStaleness(words: Words, structure: Structure): void {
  const kind = words.oneOf(['listed', 'fund', 'private'], 'kind');
  words.expect('after');
  const { settings } = structure;
  structure.settings = { ...settings, staleness: { ...settings.staleness, [kind]: { daysMax: words.whole() } } };
  words.expect('days');
  words.end();
}

/** `value-change bound 80%` */
function readValueChange(words: Words, structure: Structure): void {
  words.expect('bound');
  structure.settings = { ...structure.settings, valueChangeBound: words.fraction() };
  words.end();
}

/** `advisory advisory management`: the fee categories that gross returns add back. */
function readAdvisory(words: Words, structure: Structure): void {
  structure.settings = { ...structure.settings, advisoryCategories: new Set(words.list([])) };
}
