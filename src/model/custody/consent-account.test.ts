// What a custodian lists and what rows wait for are brought together: every account once, with all rows that mean it.

import { expect, test } from 'vitest';
import type { ConnectorAccount } from './connector.ts';
import { combinePlaces, type StatedPlace, type WaitingName } from './consent-account.ts';

const iban = 'CH93 0076 2011 6238 5295 7';

function listed(kind: ConnectorAccount['kind'], number: string, currency: string | null): ConnectorAccount {
  return { kind, number, currency, name: `Name of ${number}` };
}

function waiting(kind: WaitingName['kind'], number: string, currency: string | null, rows: number): WaitingName {
  return { kind, number, currency, rows };
}

const shown = ({ kind, number, currency, isListed, waitingRows }: StatedPlace): string =>
  `${number} ${kind} ${currency} ${isListed ? 'listed' : 'from rows'} ${waitingRows}`;

test.each<[string, readonly ConnectorAccount[], readonly WaitingName[], readonly string[]]>([
  [
    'rows count for the listed account of their currency, however they write its number',
    [listed('account', iban, 'CHF'), listed('account', iban, 'EUR')],
    [waiting('cash', 'CH9300762011623852957', 'EUR', 3), waiting('cash', 'ch93 0076 2011 6238 5295 7', 'CHF', 4)],
    [`${iban} cash CHF listed 4`, `${iban} cash EUR listed 3`],
  ],
  [
    'a currency that is not listed is an account of its own',
    [listed('account', 'A-1', 'CHF')],
    [waiting('cash', 'A-1', 'USD', 2)],
    ['A-1 cash CHF listed 0', 'A-1 cash USD from rows 2'],
  ],
  [
    'a row without a currency means the only account with its number',
    [listed('account', 'A-1', 'CHF')],
    [waiting('cash', 'A-1', null, 2)],
    ['A-1 cash CHF listed 2'],
  ],
  [
    'a row without a currency is not given to one of two',
    [listed('account', 'A-1', 'CHF'), listed('account', 'A-1', 'EUR')],
    [waiting('cash', 'A-1', null, 2)],
    ['A-1 cash null from rows 2', 'A-1 cash CHF listed 0', 'A-1 cash EUR listed 0'],
  ],
  [
    'an account that is listed without a currency takes rows of any',
    [listed('account', 'A-1', null)],
    [waiting('cash', 'A-1', 'USD', 2), waiting('cash', 'A-1', 'EUR', 5)],
    ['A-1 cash null listed 7'],
  ],
  [
    'a word that is no currency is none',
    [listed('account', 'A-1', 'francs')],
    [waiting('cash', 'B-1', 'XXQ', 1)],
    ['A-1 cash null listed 0', 'B-1 cash null from rows 1'],
  ],
  [
    'rows that name a listed depository as their account count for it',
    [listed('depository', 'D-1', null)],
    [waiting('cash', 'D-1', 'CHF', 2), waiting('securities', 'D-1', null, 3)],
    ['D-1 securities null listed 5'],
  ],
  [
    'without a list, every number that rows wait for is shown once',
    [],
    [waiting('cash', 'B-1', 'CHF', 2), waiting('cash', 'b-1', 'CHF', 1), waiting('securities', 'D-1', null, 3)],
    ['B-1 cash CHF from rows 3', 'D-1 securities null from rows 3'],
  ],
  ['a number without a letter or digit is left out', [listed('account', ' ', 'CHF')], [], []],
])('%s', (_title, list, rows, expected) => {
  expect(combinePlaces(list, rows).map(shown)).toEqual(expected);
});
