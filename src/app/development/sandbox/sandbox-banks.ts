// The two banks of the sandbox, their customers and accounts, and what these hold when the sandbox takes over from the seeded demo.

import type { Id } from '../../../kit/id.ts';
import { defined } from '../../../kit/assert.ts';
import { keysOf } from '../../../kit/keys.ts';
import { DemoLedger, type DemoAccount } from '../../../actions/demo/demo-ledger.ts';
import { demoInstruments, type ListedName } from '../../../actions/demo/demo-market.ts';
import { bookFamily } from '../../../actions/demo/family-ledger.ts';

export interface SandboxAccount {
  /** The number by which the bank knows it: an IBAN at one bank, a number of its own at the other. */
  readonly number: string;
  readonly currency: string;
  readonly name: string;
  /** In hundredths. */
  readonly openingCash: number;
  readonly openingUnits: ReadonlyMap<ListedName, number>;
}

export interface SandboxCustomer {
  readonly key: string;
  readonly name: string;
  /** The number of the custody account that keeps all units of the customer. */
  readonly depositoryNumber: string;
  readonly accounts: readonly SandboxAccount[];
}

export interface SandboxBank {
  readonly key: string;
  readonly name: string;
  /** Sends exchange rates beside prices. */
  readonly sendsRates: boolean;
  readonly customers: readonly SandboxCustomer[];
}

/** ISO 13616: the check digits make the number, letters as 10 to 35, leave a remainder of 1 when it is divided by 97. */
function withCheckDigits(country: string, rest: string): string {
  const digits = [...`${rest}${country}00`].map((one) => Number.parseInt(one, 36)).join('');
  return `${country}${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}${rest}`;
}

/** The bank code belongs to no bank. */
function swissNumber(account: number): string {
  return withCheckDigits('CH', `08999${String(account).padStart(12, '0')}`);
}

function demoAccount(key: string, currency: string): DemoAccount {
  return { id: key as Id, currency, depository: key as Id };
}

const parents = {
  CHF: demoAccount('parents CHF', 'CHF'),
  EUR: demoAccount('parents EUR', 'EUR'),
  USD: demoAccount('parents USD', 'USD'),
  GBP: demoAccount('parents GBP', 'GBP'),
  JPY: demoAccount('parents JPY', 'JPY'),
};
const [daughter, son, foundation] = [
  demoAccount('daughter', 'CHF'),
  demoAccount('son', 'EUR'),
  demoAccount('foundation', 'USD'),
];

/** Books the ten years of the demo as the seed does: what is left at their end is what the banks keep. */
function bookTenYears(): DemoLedger {
  const listed = keysOf(demoInstruments);
  const ledger = new DemoLedger('LF', new Map(listed.map((name) => [name, name as string as Id])));
  const elsewhere = 'kept elsewhere' as Id;
  bookFamily(ledger, {
    parents,
    daughter,
    son,
    foundation,
    alternatives: {
      francs: demoAccount('alternatives CHF', 'CHF'),
      euros: demoAccount('alternatives EUR', 'EUR'),
      dollars: demoAccount('alternatives USD', 'USD'),
      building: elsewhere,
      loan: elsewhere,
      forward: elsewhere,
      funds: [],
    },
  });
  return ledger;
}

function opening(ledger: DemoLedger, account: DemoAccount): Pick<SandboxAccount, 'openingCash' | 'openingUnits'> {
  const units = keysOf(demoInstruments).map((name) => [name, ledger.unitsIn(account, name)] as const);
  return { openingCash: ledger.cashOf(account), openingUnits: new Map(units.filter(([, count]) => count !== 0)) };
}

type AccountMaker = (demo: DemoAccount, number: string, name: string) => SandboxAccount;

function makeBanks(): readonly SandboxBank[] {
  const ledger = bookTenYears();
  const makeAccount: AccountMaker = (demo, number, name) => ({
    number,
    currency: demo.currency,
    name,
    ...opening(ledger, demo),
  });
  return [makeSonnenberg(makeAccount), makeHarbor(makeAccount)];
}

function makeSonnenberg(makeAccount: AccountMaker): SandboxBank {
  const makeMember = (key: string, name: string, demo: DemoAccount, number: number): SandboxCustomer => ({
    key,
    name,
    depositoryNumber: `SB-${number}-D`,
    accounts: [makeAccount(demo, swissNumber(number), `Current account ${demo.currency}`)],
  });
  const holding = {
    key: 'holding',
    name: 'Lindqvist Holding AG',
    depositoryNumber: 'SB-2001-D',
    accounts: [
      makeAccount(parents.CHF, swissNumber(2001), 'Current account CHF'),
      makeAccount(parents.EUR, swissNumber(2002), 'Current account EUR'),
    ],
  };
  return {
    key: 'sonnenberg',
    name: 'Bank Sonnenberg',
    sendsRates: true,
    customers: [
      holding,
      makeMember('astrid', 'Astrid Lindqvist', daughter, 2101),
      makeMember('erik', 'Erik Lindqvist', son, 2102),
      makeMember('foundation', 'Lindqvist Foundation', foundation, 2103),
    ],
  };
}

function makeHarbor(makeAccount: AccountMaker): SandboxBank {
  const holding = {
    key: 'holding',
    name: 'Lindqvist Holding AG',
    depositoryNumber: 'HT-7700-C',
    accounts: [
      makeAccount(parents.USD, 'HT-7700-USD', 'Brokerage USD'),
      makeAccount(parents.GBP, 'HT-7700-GBP', 'Brokerage GBP'),
      makeAccount(parents.JPY, 'HT-7700-JPY', 'Brokerage JPY'),
    ],
  };
  return { key: 'harbor', name: 'Harbor Trust', sendsRates: false, customers: [holding] };
}

let banks: readonly SandboxBank[] | undefined;

/** Computed at the first call. */
export function sandboxBanks(): readonly SandboxBank[] {
  banks ??= makeBanks();
  return banks;
}

export function getBank(key: string): SandboxBank {
  return defined(
    sandboxBanks().find((bank) => bank.key === key),
    `${key} is a bank of the sandbox`,
  );
}
