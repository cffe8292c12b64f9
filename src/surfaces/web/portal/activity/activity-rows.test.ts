// Tests the word for a booking: what a person would call it at the account where they see it.

import { expect, test } from 'vitest';
import { bookingWord } from './activity-rows.ts';

const [cash, units, trade] = [
  { amount: '250', quantity: null },
  { amount: null, quantity: '3' },
  { amount: '250', quantity: '3' },
];
const here = { account_id: 'a', counter_account_id: null };
/** Between two accounts of the entity, and with one that the entity does not have on the other side. */
const between = { account_id: 'a', counter_account_id: 'b' };
const fromElsewhere = { account_id: null, counter_account_id: 'b' };
const nowhere = { account_id: null, counter_account_id: null };

test.each([
  ['deposit', cash, here, 'Paid in', 'Eingezahlt'],
  ['withdrawal', cash, here, 'Paid out', 'Ausgezahlt'],
  ['withdrawal', cash, between, 'Paid out', 'Ausgezahlt'],
  // What is paid out of an account elsewhere comes in here.
  ['withdrawal', cash, fromElsewhere, 'Paid in', 'Eingezahlt'],
  ['deposit', cash, fromElsewhere, 'Paid out', 'Ausgezahlt'],
  ['deposit', cash, nowhere, 'Paid in', 'Eingezahlt'],
  ['fee', cash, fromElsewhere, 'Fee refund', 'Gebühr erstattet'],
  // Units that come or go without cash are transferred.
  ['deposit', units, here, 'Transferred in', 'Eingeliefert'],
  ['withdrawal', units, here, 'Transferred out', 'Ausgeliefert'],
  ['withdrawal', units, fromElsewhere, 'Transferred in', 'Eingeliefert'],
  ['deposit', units, fromElsewhere, 'Transferred out', 'Ausgeliefert'],
  ['deposit', trade, here, 'Paid in', 'Eingezahlt'],
  ['withdrawal', trade, here, 'Paid out', 'Ausgezahlt'],
  ['buy', trade, here, 'Bought', 'Gekauft'],
  ['corporate-action', units, here, 'Corporate action', 'Kapitalmassnahme'],
  ['corporate-action', units, fromElsewhere, 'Corporate action', 'Kapitalmassnahme'],
])('%s of %j at %j: %s', (type, sums, places, english, german) => {
  const booking = { type, ...sums, ...places };
  expect([bookingWord(booking, 'en'), bookingWord(booking, 'de')]).toEqual([english, german]);
});
