// Tests in which order a Flex query with slashes between day and month is read.

import { expect, test } from 'vitest';
import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { StatementItem } from '../../model/custody/statement.ts';
import { findFormat, openStatementReader } from '../recognise.ts';
import type { StatementFormat } from '../statement-format.ts';

const cash = (date: string, parts = ''): string =>
  `<CashTransaction type="Deposits &amp; Withdrawals" amount="5" currency="USD" reportDate="${date}" transactionID="${date}" ${parts}/>`;

function query(rows: readonly string[], { from = '01/12/2025', to = '05/12/2025' } = {}): string {
  return `<FlexQueryResponse><FlexStatements><FlexStatement accountId="U1" fromDate="${from}" toDate="${to}" whenGenerated="06/12/2025;101500">
<CashTransactions>
${rows.join('\n')}
</CashTransactions></FlexStatement></FlexStatements></FlexQueryResponse>`;
}

const latest = '2026-12-31' as CalendarDate;

function formatOf(text: string, pieceLength = text.length): StatementFormat {
  const format = findFormat('ib-flex')!;
  const survey = format.survey!(latest, text.slice(0, 16_384));
  if (survey === undefined) return format;
  for (let at = 0; at < text.length; at += pieceLength) survey.push(text.slice(at, at + pieceLength));
  return survey.finish();
}

function read(text: string, format = formatOf(text)): StatementItem[] {
  const reader = openStatementReader(format);
  return [...reader.push(text), ...reader.end()];
}

test.each([
  ['31/12/2025', '2025-12-03', 'day-month-year'],
  ['12/31/2025', '2025-03-12', 'month-day-year'],
  ['31/12/25', '2025-12-03', 'day-month-year'],
])('a single day as late in the month as %s says how all days of the query are written', (proof, day, order) => {
  const text = query([cash('03/12/2025'), cash(proof)]);
  for (const pieceLength of [text.length, 7, 64]) {
    const format = formatOf(text, pieceLength);
    expect(format.dateOrder).toBe(order);
    expect(read(text, format)[0]).toMatchObject({
      item: 'entry',
      date: day,
      statedAt: expect.stringContaining('2025-'),
    });
  }
});

test('days that may be of either order wait with both, and those that are the same do not', () => {
  const [same, waiting] = read(query([cash('05/05/2025'), cash('03/12/2025')], { from: '', to: '' }));
  expect(same).toMatchObject({ item: 'problem', needs: 'date-order' });
  expect(waiting).toMatchObject({
    item: 'problem',
    needs: 'date-order',
    readings: { 'day-month-year': { date: '2025-12-03' }, 'month-day-year': { date: '2025-03-12' } },
  });
  const plain = query([cash('05/05/2025')], { from: '05/05/2025', to: '05/05/2025' }).replace(
    '06/12/2025;',
    '06/06/2025;',
  );
  expect(read(plain)).toMatchObject([{ item: 'entry', date: '2025-05-05' }]);
});

test('somebody may say the order', () => {
  const text = query([cash('03/12/2025')]);
  const format = findFormat('ib-flex')!.inOrder!('month-day-year');
  expect(read(text, format)).toMatchObject([{ item: 'entry', date: '2025-03-12' }]);
});

test('days of two orders in one query are refused, with both places', () => {
  expect(() => formatOf(query([cash('31/12/2025'), cash('12/31/2025')]))).toThrow(
    'Line 4: "12/31/2025" can only be month, day, year, but "31/12/2025" in line 3 cannot be: the file writes its dates in two orders.',
  );
});

test('texts that are no dates prove nothing', () => {
  const text = query([cash('03/12/2025', 'description="31/12/2025"')]);
  expect(read(text)).toMatchObject([{ needs: 'date-order' }]);
});

test('a query whose dates have one meaning is read once', () => {
  const format = findFormat('ib-flex')!;
  for (const date of ['20251201', '2025-12-01', '01-Dec-25'])
    expect(format.survey!(latest, `<FlexStatement accountId="U1" fromDate="${date}" toDate="">`)).toBeUndefined();
});
