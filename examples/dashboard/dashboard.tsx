// The page: the value of a reporting entity, its return this year as a line, and its asset classes, in React on the SDK.

import { decimal, Holdfast, HoldfastError, type Schemas } from '@holdfast/sdk';
import { StrictMode, useEffect, useId, useState, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';

interface Access {
  readonly url: string;
  readonly token: string;
}

/** The secret stays with the server of this page, which gives out tokens that can only read. */
async function fetchAccess(): Promise<Access> {
  return (await fetch('/token')).json();
}

const locale = navigator.language;
const percent = (value: string): string => decimal.format(value, { locale, places: 2, percent: true });
const explain = (error: unknown): string => (error instanceof HoldfastError ? error.detail : String(error));

interface Choice {
  readonly id: string;
  readonly name: string;
}

interface Report {
  readonly holdings: Schemas.Holdings;
  readonly performance: Schemas.Performance;
}

/** What was read, what went wrong, or neither as long as it is being read. */
type Reading<T> = { readonly value?: T; readonly problem?: string };

/** Reads when its key changes; what is still being read for another key is given up. */
function useReading<T>(key: string, read: (signal: AbortSignal) => Promise<T>): Reading<T> {
  const [reading, setReading] = useState<Reading<T>>({});
  useEffect(() => {
    const own = new AbortController();
    setReading({});
    read(own.signal).then(
      (value) => own.signal.aborted || setReading({ value }),
      (error: unknown) => own.signal.aborted || setReading({ problem: explain(error) }),
    );
    return () => own.abort();
    // `read` is made anew each time; the key says whether it reads something else.
  }, [key]);
  return reading;
}

async function listChoices(holdfast: Holdfast): Promise<readonly Choice[]> {
  const choices: Choice[] = [];
  for await (const { id, name } of holdfast.reportingEntities.list()) choices.push({ id, name });
  return choices;
}

async function readReport(holdfast: Holdfast, reporting_entity_id: string, signal: AbortSignal): Promise<Report> {
  const options = { reporting_entity_id, signal };
  const [holdings, performance] = await Promise.all([
    holdfast.reports.holdings({ ...options, by: 'class', limit: 100 }).page(),
    holdfast.reports.performance(options),
  ]);
  return { holdings, performance };
}

function Dashboard({ holdfast }: { readonly holdfast: Holdfast }): ReactNode {
  const choices = useReading('choices', () => listChoices(holdfast));
  const [chosen, choose] = useState<string>();
  const id = chosen ?? choices.value?.[0]?.id;
  const label = useId();
  return (
    <main>
      <label htmlFor={label}>Reporting entity</label>
      <select id={label} value={id ?? ''} onChange={({ target }) => choose(target.value)}>
        {choices.value?.map((one) => (
          <option key={one.id} value={one.id}>
            {one.name}
          </option>
        ))}
      </select>
      {choices.problem !== undefined && <Problem text={choices.problem} />}
      {choices.value?.length === 0 && <p>There is no reporting entity yet.</p>}
      {id !== undefined && <ReportOf key={id} holdfast={holdfast} id={id} />}
    </main>
  );
}

function Problem({ text }: { readonly text: string }): ReactNode {
  return (
    <p className="problem" role="alert">
      {text}
    </p>
  );
}

function ReportOf({ holdfast, id }: { readonly holdfast: Holdfast; readonly id: string }): ReactNode {
  const { value, problem } = useReading(id, (signal) => readReport(holdfast, id, signal));
  if (problem !== undefined) return <Problem text={problem} />;
  if (value === undefined) return <p aria-busy="true">Reading …</p>;
  return (
    <>
      <Value holdings={value.holdings} />
      <Return performance={value.performance} />
      <Classes holdings={value.holdings} />
    </>
  );
}

function money({ currency }: Schemas.Holdings, value: string): string {
  return decimal.format(value, { locale, currency, places: 2 });
}

function Value({ holdings }: { readonly holdings: Schemas.Holdings }): ReactNode {
  return <p className="value">{money(holdings, holdings.totals.market_value)}</p>;
}

function Return({ performance: { data, start, end } }: { readonly performance: Schemas.Performance }): ReactNode {
  const label = useId();
  const [whole] = data;
  const text = whole?.twr == null ? 'No return yet' : `${percent(whole.twr)} from ${start} to ${end}`;
  return (
    <>
      <p className="return" id={label}>
        {text}
      </p>
      <svg viewBox="0 0 600 160" preserveAspectRatio="none" role="img" aria-labelledby={label}>
        <polyline points={linePoints(whole?.series ?? [])} />
      </svg>
    </>
  );
}

/** Places on the screen may be doubles; figures never are. */
function linePoints(series: readonly { readonly cumulative_twr: string | null }[]): string {
  const values = series.map(({ cumulative_twr }) => Number(cumulative_twr ?? 0));
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const points = values.map((value, index) => {
    const x = (600 * index) / Math.max(1, values.length - 1);
    return `${x},${155 - (150 * (value - low)) / (high - low || 1)}`;
  });
  return points.join(' ');
}

function Classes({ holdings }: { readonly holdings: Schemas.Holdings }): ReactNode {
  return (
    <table>
      <caption>By asset class</caption>
      <tbody>
        {holdings.data.map((row) => (
          <tr key={row.segment_id}>
            <th scope="row">{row.segment_name ?? 'Without a class'}</th>
            <td>{money(holdings, row.market_value)}</td>
            <td>{percent(row.share ?? '0')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const place = document.getElementById('dashboard');
if (place === null) throw new Error('The page has no place for the dashboard.');
const { url } = await fetchAccess();
const holdfast = new Holdfast({ url, token: async () => (await fetchAccess()).token });
createRoot(place).render(
  <StrictMode>
    <Dashboard holdfast={holdfast} />
  </StrictMode>,
);
