// Writes the holdings and the performance of a reporting entity to a spreadsheet, each figure as a number and as its exact text.
//
//   node examples/spreadsheet-export/spreadsheet-export.ts REPORTING_ENTITY FILE.xlsx [DAY]

import writeExcelFile, { type CellObject, type Row } from 'write-excel-file/node';
import { connect } from '../connect.ts';

type Figure = string | null;

const money = '#,##0.00';
const units = '#,##0.######';
const percent = '0.00%';

const title = (value: string): CellObject => ({ value, type: String, fontWeight: 'bold' });
const text = (value: string): CellObject => ({ value, type: String });

/** A spreadsheet keeps 15 digits of a number, to compute with; the text beside it has them all. */
function figure(value: Figure, format: string): [CellObject | null, CellObject | null] {
  if (value === null) return [null, null];
  return [
    { value: Number(value), type: Number, format },
    { ...text(value), align: 'right' },
  ];
}

const figureTitles = (...names: readonly string[]): CellObject[] =>
  names.flatMap((name) => [title(name), title(`${name}, exact`)]);

const [entityId, file, day] = process.argv.slice(2);
if (entityId === undefined || file?.endsWith('.xlsx') !== true)
  throw new Error('Name the reporting entity and a file that ends in .xlsx.');

const holdfast = connect('spreadsheet-export', 'read');
const entity = await holdfast.reportingEntities.get(entityId);

const holdings: Row[] = [];
let totals: Row = [];
for await (const page of holdfast.reports.holdings({ reporting_entity_id: entityId, as_of: day }).pages()) {
  for (const row of page.data)
    holdings.push([
      text(row.segment_name ?? ''),
      ...figure(row.quantity, units),
      ...figure(row.market_value, money),
      ...figure(row.cost_basis, money),
      ...figure(row.unrealised_pnl, money),
      ...figure(row.share, percent),
    ]);
  const { market_value, cost_basis, unrealised_pnl } = page.totals;
  totals = [
    title(`${entity.name}, ${page.currency}, ${page.as_of}`),
    ...figure(null, units),
    ...[market_value, cost_basis, unrealised_pnl].flatMap((total) => figure(total, money)),
  ];
}

const performance = await holdfast.reports.performance({
  reporting_entity_id: entityId,
  end: day,
  detail: 'summary',
  every: 'month',
});
const [whole] = performance.data;
const { start, end } = performance;
const periods = whole === undefined ? [] : [...(whole.periods ?? []), { ...whole, start, end }];
const returns = periods.map((period): Row => [
  text(period.start),
  text(period.end),
  ...figure(period.begin_market_value, money),
  ...figure(period.net_cash_flow, money),
  ...figure(period.gain, money),
  ...figure(period.end_market_value, money),
  ...figure(period.twr, percent),
]);

const holdingTitles = figureTitles('Quantity', 'Market value', 'Cost', 'Unrealised gain', 'Share');
const returnTitles = figureTitles('Value before', 'Net flow', 'Gain', 'Value after', 'Time-weighted return');
await writeExcelFile([
  { sheet: 'Holdings', data: [[title('Holding'), ...holdingTitles], ...holdings, totals], stickyRowsCount: 1 },
  { sheet: 'Performance', data: [[title('From'), title('To'), ...returnTitles], ...returns], stickyRowsCount: 1 },
]).toFile(file);
console.log(`${file}: ${holdings.length} holdings of ${entity.name}, ${returns.length} periods`);
