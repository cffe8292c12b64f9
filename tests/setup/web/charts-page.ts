// A page with every kind of chart, for tests that look at them in a browser.

import { readFileSync } from 'node:fs';
import { barChart } from '../../../src/surfaces/web/charts/bar-chart.ts';
import { headroomBar } from '../../../src/surfaces/web/charts/headroom-bar.ts';
import { lineChart } from '../../../src/surfaces/web/charts/line-chart.ts';
import { shareBar } from '../../../src/surfaces/web/charts/share-bar.ts';
import type { Reader } from '../../../src/surfaces/web/language/reader.ts';

const reader: Reader = { language: 'de', locale: 'de-CH' };
const description = 'From 2016 to 2026.';
const styles = ['base.css', 'parts.css'].map((file) =>
  readFileSync(new URL(`../../../src/surfaces/web/style/${file}`, import.meta.url), 'utf8'),
);

/** Every kind of chart with long German words, in a container of this width. */
export function chartsPage(width: number): string {
  const years = Array.from({ length: 11 }, (_, index) => String(2016 + index));
  const days = Array.from({ length: 3_700 }, (_, index) => new Date(Date.UTC(2016, 8, 1 + index)));
  const points = days.map((day, index) => ({
    date: day.toISOString().slice(0, 10),
    value: String(
      Math.round(62_500_000 + index * 4_000 + 3_000_000 * Math.sin(index / 150) + 900_000 * Math.sin(index / 11)),
    ),
  }));
  const bars = (title: string, scale: number) => ({
    title,
    values: years.map((_, index) => String(Math.round(Math.sin(index + scale) * scale * 1_000_000))),
  });
  const common = { description, reader };
  const shares = ['0.412', '0.221', '0.151', '0.094', '0.062', '0.041', '0.019'];
  const titles = [
    'Aktien',
    'Anleihen',
    'Private Märkte',
    'Liegenschaften',
    'Mitarbeiterbeteiligungsprogramm Wolfwil',
    'Gold',
    'Bargeld',
  ];
  const words = { value: 'Anteil', min: 'Mindestens', max: 'Höchstens', headroom: 'Spielraum' };
  const series = [
    bars('Zinsen', 1.2),
    bars('Dividenden', 2.1),
    bars('Mieten', 0.8),
    bars('Ausschüttungen', 1.6),
    bars('Übriges', 0.5),
  ];
  const groups = { ...common, groups: years, groupTitle: 'Jahr' };
  const charts = [
    lineChart({
      ...common,
      id: 'value',
      title: 'Wert über zehn Jahre',
      dateTitle: 'Tag',
      withArea: true,
      events: [{ date: '2019-05-02', title: 'Einzahlung' }],
      series: [
        { title: 'Vermögen', points },
        {
          title: 'Vergleich',
          points: points.map(({ date }, index) => ({ date, value: String(61_000_000 + index * 3_900) })),
        },
      ],
    }),
    barChart({ ...groups, id: 'income', title: 'Erträge', series: series.slice(0, 3) }),
    barChart({ ...groups, id: 'flows', title: 'Zahlungen', series, arrangement: 'stacked', line: bars('Summe', 3) }),
    barChart({ ...groups, id: 'result', title: 'Ergebnis', series: series.slice(0, 1) }),
    shareBar({
      ...common,
      id: 'share',
      title: 'Aufteilung',
      parts: shares.map((share, index) => ({ title: titles[index]!, share })),
      restTitle: 'Übrige',
      nameTitle: 'Klasse',
      shareTitle: 'Anteil',
    }),
    headroomBar({
      ...common,
      id: 'limit',
      title: 'Aktien',
      value: '0.27',
      min: '0.1',
      max: '0.25',
      headroom: '-0.02',
      unit: 'percent',
      words,
    }),
    headroomBar({
      ...common,
      id: 'limit2',
      title: 'Bargeld',
      value: '12000000',
      min: '1250000',
      max: null,
      headroom: '10750000',
      words,
    }),
  ];
  const style = `${styles.join('\n')} #room { width: ${width}px; display: grid; gap: 2rem; background: var(--card); }`;
  return `<!doctype html><html lang="de"><title>Charts</title><style>${style}</style><div id="room">${charts
    .map(({ figure }) => figure.text)
    .join('')}</div></html>`;
}
