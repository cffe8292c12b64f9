// The script of the page: the value of a reporting entity, its return this year as a line, and its asset classes.

import { decimal, Holdfast, HoldfastError, type Schemas } from '@holdfast/sdk';

interface Access {
  readonly url: string;
  readonly token: string;
}

/** The secret stays with the server of this page, which gives out tokens that can only read. */
async function fetchAccess(): Promise<Access> {
  return (await fetch('/token')).json();
}

const { url } = await fetchAccess();
const holdfast = new Holdfast({ url, token: async () => (await fetchAccess()).token });
const locale = navigator.language;

function byId(id: string): Element {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no ${id}.`);
  return found;
}

const percent = (value: string): string => decimal.format(value, { locale, places: 2, percent: true });

/** The report that is being read: another choice ends it. */
let current = new AbortController();

async function show(reporting_entity_id: string): Promise<void> {
  current.abort();
  const own = (current = new AbortController());
  const options = { reporting_entity_id, signal: own.signal };
  byId('problem').textContent = '';
  try {
    const [holdings, performance] = await Promise.all([
      holdfast.reports.holdings({ ...options, by: 'class', limit: 100 }).page(),
      holdfast.reports.performance(options),
    ]);
    showHoldings(holdings);
    showPerformance(performance);
  } catch (error) {
    if (!own.signal.aborted)
      byId('problem').textContent = error instanceof HoldfastError ? error.detail : String(error);
  }
}

function showHoldings({ data, totals, currency }: Schemas.Holdings): void {
  const money = (value: string): string => decimal.format(value, { locale, currency, places: 2 });
  byId('value').textContent = money(totals.market_value);
  const rows = data.map((row) => {
    const cells = [row.segment_name ?? 'Without a class', money(row.market_value), percent(row.share ?? '0')];
    const line = document.createElement('tr');
    // As text: names are other people's.
    for (const [index, text] of cells.entries()) {
      const cell = document.createElement(index === 0 ? 'th' : 'td');
      cell.textContent = text;
      line.append(cell);
    }
    return line;
  });
  byId('classes').replaceChildren(...rows);
}

function showPerformance({ data: [whole], start, end }: Schemas.Performance): void {
  const text = whole?.twr == null ? 'No return yet' : `${percent(whole.twr)} from ${start} to ${end}`;
  byId('return').textContent = text;
  // Places on the screen may be doubles; figures never are.
  const values = (whole?.series ?? []).map(({ cumulative_twr }) => Number(cumulative_twr ?? 0));
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const points = values.map((value, index) => {
    const x = (600 * index) / Math.max(1, values.length - 1);
    return `${x},${155 - (150 * (value - low)) / (high - low || 1)}`;
  });
  byId('line').setAttribute('points', points.join(' '));
}

const choice = byId('entity');
if (!(choice instanceof HTMLSelectElement)) throw new Error('The page has no choice of reporting entities.');
for await (const { id, name } of holdfast.reportingEntities.list()) choice.append(new Option(name, id));
choice.addEventListener('change', () => void show(choice.value));
if (choice.value !== '') await show(choice.value);
