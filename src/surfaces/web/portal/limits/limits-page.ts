// The limits of a reporting entity: each in words with its value, the room that is left, its state and since when, and all breaches.

import { allInOrder } from '../../../../kit/concurrency/all-in-order.ts';
import { emptyHtml, html, type Html } from '../../../../kit/html.ts';
import { headroomBar } from '../../charts/headroom-bar.ts';
import { definitionList, emptyState, note, stateDot } from '../../parts/notes.ts';
import { card, tableCard } from '../../parts/parts.ts';
import { tableHtml } from '../../tables/table-html.ts';
import type { Table } from '../../tables/table.ts';
import { fileLinks } from '../entity-controls.ts';
import { entityPage } from '../entity-page.ts';
import { readNames } from '../entity-names.ts';
import type { EntityView } from '../entity-view.ts';
import { boundsText, filterFields, filterText, limitValue, type NameOf } from './limit-words.ts';
import { limitsTexts } from './limits-texts.ts';

/** Each is computed for itself; a family has a dozen. */
const limitsMax = 50;

interface ShownLimit {
  readonly limit: any;
  /** Its status at this reporting entity. */
  readonly status: any;
}

const showLimits = entityPage({
  id: 'entity-limits',
  tab: 'limits',
  summary: 'The limits of a reporting entity with the room that is left',
  controls: [],
  async read(view) {
    const { api, reader } = view.page;
    const text = limitsTexts[reader.language];
    const [listed, breaches, held] = await allInOrder([
      view.entity.then(({ clientId }) => api.list('/v1/limits', { client_id: clientId })),
      api.get('/v1/limit-breaches', { reporting_entity_id: view.entityId, limit: '100' }),
      api.find('/v1/holdings', { ...view.entityQuery, limit: '1' }),
    ]);
    const own = listed.data.filter((one) => [null, view.entityId].includes(one.reporting_entity_id));
    const [shown, nameOf] = await allInOrder([readStatuses(view, own.slice(0, limitsMax)), readFilterNames(view, own)]);
    const currency: string | undefined = held?.currency;
    const tables = [limitsTable(view, shown, currency), breachesTable(view, breaches.data, { limits: own, currency })];
    if (own.length === 0) return { main: emptyState({ title: text.emptyTitle, text: text.emptyText }), tables };
    const cards = shown.map((one) => limitCard(view, one, { currency, nameOf }));
    return {
      lede: html`${text.lede}`,
      main: html`${cards}${own.length > limitsMax || listed.isCut ? note(text.more) : emptyHtml}
      ${fileLinks(view, tables[0]!)}${breachesCard(view, tables[1]!)}`,
      tables,
    };
  },
});

/** Limits that did not apply to the entity at the moment of knowledge have no status there. */
async function readStatuses(view: EntityView, limits: readonly any[]): Promise<readonly ShownLimit[]> {
  const statuses = await allInOrder(
    limits.map(({ id }) => view.page.api.find(`/v1/limits/${id}/status`, { known_at: view.knownAt })),
  );
  return limits.flatMap((limit, index) => {
    const entities: readonly any[] = statuses[index]?.reporting_entities ?? [];
    const status = entities.find((one) => one.reporting_entity_id === view.entityId);
    return status === undefined ? [] : [{ limit, status }];
  });
}

const axisOf: Readonly<Record<string, 'detailed-class' | 'instrument' | 'portfolio'>> = {
  'instrument_class.id': 'detailed-class',
  'instrument.id': 'instrument',
  'portfolio.id': 'portfolio',
};

/** The names of what the filters name by ids, as far as the entity holds it. */
async function readFilterNames(view: EntityView, limits: readonly any[]): Promise<NameOf> {
  const axes = new Set(limits.flatMap(({ filter }) => filterFields(filter)).flatMap((field) => axisOf[field] ?? []));
  const names = await readNames(view, [...axes]);
  return (id) => names(id) ?? id;
}

interface LimitContext {
  readonly currency: string | undefined;
  readonly nameOf: NameOf;
}

const tones = { compliant: 'up', breached: 'down', not_evaluable: 'warn' } as const;

function stateOf({ state }: any): keyof typeof tones {
  return state in tones ? state : 'not_evaluable';
}

function ruleText(view: EntityView, { limit, status }: ShownLimit, currency: string | undefined): string {
  const { formats, reader } = view.page;
  const bounds = boundsText(status, { unit: { kind: limit.kind, currency }, formats, language: reader.language });
  return limitsTexts[reader.language].rule(limit.name, bounds);
}

function limitCard(view: EntityView, shown: ShownLimit, { currency, nameOf }: LimitContext): Html {
  const { limit, status } = shown;
  const { reader, formats } = view.page;
  const text = limitsTexts[reader.language];
  const state = stateOf(status);
  const value = (figure: string): string => limitValue(formats, { kind: limit.kind, currency }, figure);
  const explain = view.explainHref('limit_value', { limit_id: limit.id });
  const reason = (['no-value', 'fx-rate-missing', 'names-nothing'] as const).find((one) => one === status.reason);
  const facts = [
    ...(status.current_value === null
      ? []
      : [{ title: text.value, value: value(status.current_value), href: explain }]),
    ...headroomFact(status, { text, value }),
    { title: text.since, value: sinceText(view, status) },
    { title: text.counts, value: filterText(limit.filter, reader.language, nameOf) },
  ];
  return card(
    ruleText(view, shown, currency),
    html`<p>${stateDot(text[state], tones[state])} ${reason === undefined ? '' : text[reason]}</p>
      ${status.current_value === null ? emptyHtml : headroomFigure(view, shown, currency)} ${definitionList(facts)}
      ${
        status.unclassified_value === null || /^-?0(\.0*)?$/.test(status.unclassified_value)
          ? emptyHtml
          : note(text.unclassified(value(status.unclassified_value)), { tone: 'warn' })
      }
      ${explain === undefined ? emptyHtml : html`<p><a href="${explain}">${text.whatCounts}</a></p>`}`,
  );
}

type Words = Readonly<Record<'headroom' | 'beyond', string>>;

/** Room that is left, or by how much the bound is exceeded. */
function headroomFact(
  { headroom }: any,
  { text, value }: { readonly text: Words; readonly value: (figure: string) => string },
): readonly { title: string; value: string }[] {
  if (headroom === null) return [];
  const isBeyond = headroom.startsWith('-');
  return [{ title: isBeyond ? text.beyond : text.headroom, value: value(isBeyond ? headroom.slice(1) : headroom) }];
}

function sinceText({ page }: EntityView, { since }: any): string {
  return since === null ? limitsTexts[page.reader.language].sinceUnknown : page.formats.datetime(since, page.timeZone);
}

function headroomFigure(view: EntityView, { limit, status }: ShownLimit, currency: string | undefined): Html {
  const { reader, formats } = view.page;
  const text = limitsTexts[reader.language];
  const unit = { kind: limit.kind, currency };
  return headroomBar({
    id: `limit-${limit.id}`,
    title: text.valueAndBounds,
    description: text.headroomDescription(
      limitValue(formats, unit, status.current_value),
      boundsText(status, { unit, formats, language: reader.language }),
    ),
    reader,
    value: status.current_value,
    min: status.min,
    max: status.max,
    headroom: status.headroom,
    unit: limit.kind === 'proportional' ? 'percent' : 'money',
    ...(currency === undefined ? {} : { currency }),
    words: { value: text.value, min: text.min, max: text.max, headroom: text.headroom },
  }).figure;
}

function limitsTable(view: EntityView, shown: readonly ShownLimit[], currency: string | undefined): Table {
  const text = limitsTexts[view.page.reader.language];
  return {
    id: 'limits',
    caption: text.limits,
    columns: [
      { key: 'limit', title: text.limit, kind: 'text' },
      { key: 'state', title: text.state, kind: 'text' },
      ...(['value', 'min', 'max', 'headroom'] as const).map(
        (key) => ({ key, title: text[key], kind: 'quantity' }) as const,
      ),
      { key: 'since', title: text.since, kind: 'text' },
    ],
    rows: shown.map((one) => ({
      cells: [
        { value: ruleText(view, one, currency) },
        { value: text[stateOf(one.status)] },
        { value: one.status.current_value },
        { value: one.status.min },
        { value: one.status.max },
        { value: one.status.headroom },
        { value: one.status.since },
      ],
    })),
  };
}

interface BreachContext {
  readonly limits: readonly any[];
  readonly currency: string | undefined;
}

function breachesTable(view: EntityView, breaches: readonly any[], { limits, currency }: BreachContext): Table {
  const { formats, reader, timeZone } = view.page;
  const text = limitsTexts[reader.language];
  return {
    id: 'breaches',
    caption: text.breaches,
    columns: [
      { key: 'limit', title: text.limit, kind: 'text' },
      { key: 'since', title: text.since, kind: 'text' },
      { key: 'until', title: text.until, kind: 'text' },
      { key: 'value', title: text.valueThen, kind: 'quantity' },
      { key: 'bound', title: text.boundThen, kind: 'quantity' },
    ],
    rows: breaches.map((one) => {
      const unit = { kind: one.kind, currency };
      const bound = limitValue(formats, unit, one.bound_value);
      return {
        cells: [
          { value: limits.find(({ id }) => id === one.limit_id)?.name ?? text.deletedLimit },
          { value: one.since, text: formats.datetime(one.since, timeZone) },
          { value: one.until, text: one.until === null ? text.lasting : formats.datetime(one.until, timeZone) },
          { value: one.current_value, text: limitValue(formats, unit, one.current_value) },
          { value: one.bound_value, text: one.bound === 'max' ? text.atMost(bound) : text.atLeast(bound) },
        ],
      };
    }),
  };
}

function breachesCard(view: EntityView, table: Table): Html {
  const text = limitsTexts[view.page.reader.language];
  if (table.rows.length === 0) return card(text.breaches, html`<p>${text.noBreaches}</p>`);
  return tableCard(html`${tableHtml(table, { reader: view.page.reader })}${fileLinks(view, table)}`);
}

export const limitsPaths = [showLimits];
