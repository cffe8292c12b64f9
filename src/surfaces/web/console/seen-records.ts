// Names and choices for people who may read reports but not the records themselves: clients by their reports' currency, places and
// instruments as far as a reporting entity holds them.

import { append } from '../../../kit/memory/long-list.ts';
import type { Page } from '../signed-in-page.ts';
import type { Option } from './console-table.ts';

export interface SeenClient {
  readonly id: string;
  /** Null where the person may not read clients. */
  readonly name: string | null;
  /** The reference currency. */
  readonly currency: string;
}

/** Stands for a currency that nobody could say: ISO 4217's code for none. */
const noCurrency = 'XXX';

/** The clients of these reporting entities, and all others that the person may read. */
export async function readSeenClients(
  page: Page,
  entities: readonly { readonly id: string; readonly client_id: string }[],
): Promise<readonly SeenClient[]> {
  if (page.api.may('GET', '/v1/clients')) {
    const { data } = await page.api.list('/v1/clients', {}, 500);
    return data.map(({ id, name, reference_currency: currency }) => ({ id, name, currency }));
  }
  const byClient = Map.groupBy(entities, ({ client_id: client }) => client);
  return Promise.all(
    [...byClient].map(async ([id, [entity]]) => {
      const held = await page.api.find('/v1/holdings', { reporting_entity_id: entity?.id, limit: '1' });
      return { id, name: null, currency: held?.currency ?? noCurrency };
    }),
  );
}

/** What a reporting entity holds, by name: `instrument`, `account` or `depository`. */
export async function readHeld(
  page: Page,
  entity: string,
  by: 'instrument' | 'account' | 'depository',
): Promise<readonly Option[]> {
  const found: Option[] = [];
  let cursor: string | null = null;
  do {
    const report: any = await page.api.find('/v1/holdings', { reporting_entity_id: entity, by, limit: '100', cursor });
    append(
      found,
      (report?.data ?? []).map((row: any) => ({ value: row.segment_id, title: row.segment_name })),
    );
    cursor = report?.next_cursor ?? null;
  } while (cursor !== null && found.length < heldMax);
  return found
    .filter(({ value }) => value !== null)
    .toSorted((a, b) => a.title.localeCompare(b.title, page.reader.locale));
}

/** The names of what these reporting entities hold, by id. */
export async function readHeldNames(
  page: Page,
  entities: ReadonlySet<string>,
  by: 'instrument' | 'account' | 'depository',
): Promise<ReadonlyMap<string, string>> {
  const held = await Promise.all([...entities].map((entity) => readHeld(page, entity, by)));
  return new Map(held.flat().map(({ value, title }) => [value, title]));
}

const heldMax = 500;
