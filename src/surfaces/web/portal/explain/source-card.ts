// Where a number comes from: the booking with who booked it and from which import, or the price with its source and since when it is known.

import { emptyHtml, type Html } from '../../../../kit/html.ts';
import { definitionList } from '../../parts/notes.ts';
import { card } from '../../parts/parts.ts';
import type { EntityView } from '../entity-view.ts';
import { explanationTexts, type ExplanationText } from './explanation-texts.ts';
import type { ExplainedFigure, FigureSource } from './explanation-tree.ts';

const kindTexts = {
  transaction: 'booking',
  transactions: 'bookings',
  upload: 'upload',
  point: 'point',
  'fx-rate': 'rate',
  terms: 'terms',
  instrument: 'instrumentKind',
  holding: 'holding',
} as const satisfies Readonly<Record<string, keyof ExplanationText>>;

const seriesTexts: Readonly<Record<string, 'price' | 'nav' | 'interest' | 'index'>> = {
  price: 'price',
  'net-asset-value': 'nav',
  'interest-rate': 'interest',
  'index-factor': 'index',
};

type Fact = readonly [title: string, value: string | null | undefined];

export function sourceCard(view: EntityView, { source }: ExplainedFigure): Html {
  const text = explanationTexts[view.page.reader.language];
  if (source === undefined || source.kind === 'figure') return emptyHtml;
  const facts: readonly Fact[] = [...placeFacts(view, source), ...originFacts(view, source)];
  const known = facts.flatMap(([title, value]) =>
    value === null || value === undefined || value === '' ? [] : [{ title, value }],
  );
  return card(text.origin, definitionList(known));
}

function placeFacts({ page: { formats, reader } }: EntityView, source: FigureSource): readonly Fact[] {
  const text = explanationTexts[reader.language];
  const series = seriesTexts[source.series ?? ''];
  const kind = kindTexts[source.kind as keyof typeof kindTexts];
  return [
    [text.kindOfSource, kind === undefined ? source.kind : text[kind]],
    [text.instrument, source.instrument_name],
    [text.series, series === undefined ? source.series : text[series]],
    [text.pair, source.base === undefined ? null : `${source.base} → ${source.quote}`],
    [text.day, source.date == null ? null : formats.dateLong(source.date)],
    [text.account, source.account_name],
    [text.depository, source.depository_name],
    [text.portfolios, source.portfolio_names?.join(', ')],
  ];
}

function originFacts({ page: { formats, reader, timeZone } }: EntityView, { origin }: FigureSource): readonly Fact[] {
  if (origin === undefined || origin === null) return [];
  const text = explanationTexts[reader.language];
  const { import: imported } = origin;
  const sources: Readonly<Record<string, string>> = { manual: text.manual, custodian: text.custodian };
  const how = imported?.origin === 'feed' ? text.feed : text.file;
  return [
    [text.recordedAt, formats.datetime(origin.recorded_at, timeZone)],
    [text.recordedBy, origin.recorded_by],
    [text.source, sources[origin.source ?? ''] ?? origin.source],
    [
      text.importedFrom,
      imported == null ? null : `${imported.name ?? how}, ${formats.datetime(imported.booked_at, timeZone)}`,
    ],
    [text.reference, origin.external_reference],
    [text.comment, origin.comment],
  ];
}
