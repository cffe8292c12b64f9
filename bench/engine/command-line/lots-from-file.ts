// Does the task of the command-line programs: reads a ledger from a file of lines, and prints units and cost by position. `node
// lots-from-file.ts <file>`.

import { readFileSync } from 'node:fs';
import { parseCalendarDate, toDayNumber } from '../../../src/kit/calendar-date.ts';
import type { Day } from '../../../src/kit/day.ts';
import { fromFixed } from '../../../src/kit/fixed.ts';
import { places } from '../ledger/generated-ledger.ts';
import { holdfastLots } from '../holdfast/lots.ts';

const lines = readFileSync(process.argv[2]!, 'latin1').trimEnd().split('\n');
const positions = new Int32Array(lines.length);
const days = new Int32Array(lines.length);
const quantities = new Float64Array(lines.length);
const amounts = new Float64Array(lines.length);
const numbers = new Map<string, number>();
let [dateBefore, day]: [string, Day] = ['', 0];
for (const [row, line] of lines.entries()) {
  const [date = '', holding = '', quantity = '', amount = ''] = line.split(',');
  if (date !== dateBefore) [dateBefore, day] = [date, toDayNumber(parseCalendarDate(date))];
  days[row] = day;
  positions[row] = quantity === '0' ? -1 : numberOf(holding);
  quantities[row] = integerOf(quantity, places.quantity);
  amounts[row] = integerOf(amount, places.amount);
}
const cost = { values: amounts, scale: places.amount };
const quantity = { values: quantities, scale: places.quantity };
const { totals } = holdfastLots({ positions, days, quantity, cost, referenceCost: cost }, numbers.size);
const answer = [...numbers].map(([name, position]) => {
  const { quantity, cost } = totals[position]!;
  return `${name},${fromFixed(quantity)},${fromFixed(cost)}\n`;
});
process.stdout.write(answer.join(''));

function numberOf(holding: string): number {
  let number = numbers.get(holding);
  if (number === undefined) numbers.set(holding, (number = numbers.size));
  return number;
}

/** Parses a decimal as an integer × 10^-scale, without floating-point steps. */
function integerOf(decimal: string, scale: number): number {
  const [whole = '', fraction = ''] = decimal.split('.');
  return Number(whole + fraction.padEnd(scale, '0'));
}
