// The instrument that the performance page compares with: what may be chosen, and what is chosen, by name.

import { allInOrder } from '../../../../kit/concurrency/all-in-order.ts';
import { emptyHtml, html, type Html } from '../../../../kit/html.ts';
import { benchmarkTypes } from '../../../../model/instrument/instrument.ts';
import type { Field } from '../../parts/field.ts';
import { filterForm } from '../../parts/forms.ts';
import type { Page } from '../../signed-in-page.ts';
import type { EntityView } from '../entity-view.ts';
import { performanceTexts } from './performance-texts.ts';

interface NamedInstrument {
  readonly id: string;
  readonly name: string;
}

export interface Benchmark {
  /** What was chosen; undefined for none. */
  readonly id: string | undefined;
  /** Undefined where none was chosen, or its name is not to be seen. */
  readonly name: string | undefined;
  readonly choices: readonly NamedInstrument[];
  /** Whether there are more than the choices, so that they are searched for. */
  readonly isCut: boolean;
}

/** Of each type; a longer list is narrowed by a name. */
const choicesMax = '50';

export function readBenchmark(view: EntityView): Promise<Benchmark> {
  const id = view.page.query.get('benchmark')?.trim() || undefined;
  return view.page.api.may('GET', '/v1/instruments') ? readFromCatalogue(view, id) : readFromHoldings(view, id);
}

async function readFromCatalogue({ page }: EntityView, id: string | undefined): Promise<Benchmark> {
  const { api, query } = page;
  const q = query.get('find')?.trim() || undefined;
  const [lists, chosen] = await allInOrder([
    allInOrder(benchmarkTypes.map((type) => api.find('/v1/instruments', { type, q, limit: choicesMax }))),
    id === undefined || !/^\w+$/.test(id) ? undefined : api.find(`/v1/instruments/${id}`),
  ]);
  const found: readonly NamedInstrument[] = lists.flatMap((list) => list?.data ?? []);
  const others = found.filter((one) => one.id !== chosen?.id);
  const choices = byName(page, chosen === undefined ? others : [chosen, ...others]);
  return { id, name: chosen?.name, choices, isCut: q !== undefined || lists.some((list) => list?.has_more === true) };
}

/** What has a level that anybody could have bought. */
const levelSources: readonly string[] = ['price', 'net-asset-value'];

/** Members see no catalogue: they compare with what the entity holds. */
async function readFromHoldings({ page, dayQuery }: EntityView, id: string | undefined): Promise<Benchmark> {
  const held = await page.api.find('/v1/holdings', { ...dayQuery, by: 'instrument', limit: '100' });
  const rows: readonly any[] = held?.data ?? [];
  const priced = rows.filter(({ valuation }) => levelSources.includes(valuation.source));
  const choices = byName(
    page,
    priced.map((row) => ({ id: row.segment_id, name: row.segment_name })),
  );
  return { id, name: choices.find((one) => one.id === id)?.name, choices, isCut: false };
}

function byName({ reader }: Page, instruments: readonly NamedInstrument[]): readonly NamedInstrument[] {
  return instruments.toSorted((one, other) => one.name.localeCompare(other.name, reader.locale));
}

/** A form in the address; nothing where there is nothing to choose. */
export function benchmarkPicker({ page }: EntityView, { id, choices, isCut }: Benchmark): Html {
  const { reader, query, address } = page;
  if (choices.length === 0 && !isCut) return emptyHtml;
  const text = performanceTexts[reader.language];
  const search: readonly Field[] = isCut
    ? [{ kind: 'search', name: 'find', label: text.findBenchmark, value: query.get('find') ?? '' }]
    : [];
  const own = new Set(['benchmark', 'find', 'table', 'format']);
  return html`<div class="controls">
    ${filterForm({
      path: address.replace(/\?.*/, ''),
      reader,
      label: text.compareWith,
      fields: [
        {
          kind: 'select',
          name: 'benchmark',
          label: text.compareWith,
          value: id ?? '',
          options: [
            { value: '', title: text.noBenchmark },
            ...choices.map((one) => ({ value: one.id, title: one.name })),
          ],
        },
        ...search,
      ],
      keep: Object.fromEntries([...query].filter(([name, value]) => value !== '' && !own.has(name))),
    })}
  </div>`;
}
