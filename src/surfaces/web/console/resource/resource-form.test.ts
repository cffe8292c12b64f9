// How a value of each kind is reads for, and where the faults of a refused form stand.

import { describe, expect, test } from 'vitest';
import type { Field } from '../../parts/field.ts';
import type { Page } from '../../signed-in-page.ts';
import { formFields, placeFaults } from './resource-form.ts';
import type { FieldShape, SchemaField } from './schema-fields.ts';

function field(shape: FieldShape, more: Partial<SchemaField> = {}): SchemaField {
  return { name: 'one', title: 'One', hint: 'Why.', isRequired: false, isNullable: true, shape, ...more };
}

const common = { name: 'one', label: 'One', hint: 'Why.', isRequired: false, error: undefined };
const choice = { kind: 'choice', values: ['buy', 'in_kind'] } as const;
const choices = [
  { value: 'buy', title: 'Buy' },
  { value: 'in_kind', title: 'In kind' },
];

async function drawn(one: SchemaField, values: readonly string[], page = {} as Page): Promise<Field | undefined> {
  const [found] = await formFields(page, [one], { values: new Map([['one', values]]) });
  return found;
}

describe('a value is reads for by', () => {
  const moment = 'Such as 2026-10-31T18:00:00Z.';
  test.each<[string, SchemaField, object]>([
    ['a line', field({ kind: 'text', maxLength: 40 }), { kind: 'text', autocomplete: 'off', maxLength: 40 }],
    ['a line of any length', field({ kind: 'text' }), { kind: 'text', autocomplete: 'off' }],
    ['an address', field({ kind: 'email', maxLength: 254 }), { kind: 'email', autocomplete: 'off', maxLength: 254 }],
    ['several lines', field({ kind: 'long-text', maxLength: 900 }), { kind: 'textarea', rows: 4, maxLength: 900 }],
    ['a number', field({ kind: 'decimal' }), { kind: 'number' }],
    ['a whole number', field({ kind: 'integer' }), { kind: 'number' }],
    ['a day', field({ kind: 'date' }), { kind: 'date' }],
    ['a moment', field({ kind: 'moment' }), { kind: 'text', autocomplete: 'off', hint: `Why. ${moment}` }],
    [
      'a moment without another hint',
      field({ kind: 'moment' }, { hint: undefined }),
      { kind: 'text', autocomplete: 'off', hint: moment },
    ],
    ['a list', field({ kind: 'texts' }), { kind: 'textarea', rows: 4, hint: 'Why. One a line.' }],
    ['JSON', field({ kind: 'json' }), { kind: 'textarea', rows: 8, hint: 'Why. As JSON.' }],
    [
      'a list without another hint',
      field({ kind: 'texts' }, { hint: undefined }),
      { kind: 'textarea', rows: 4, hint: 'One a line.' },
    ],
    [
      'JSON without another hint',
      field({ kind: 'json' }, { hint: undefined }),
      { kind: 'textarea', rows: 8, hint: 'As JSON.' },
    ],
    ['one of several', field(choice), { kind: 'select', options: choices }],
  ])('%s', async (_what, one, expected) => {
    expect(await drawn(one, ['buy'])).toEqual({ ...common, value: 'buy', ...expected });
  });

  test('one of several, or none as long as none is needed or chosen', async () => {
    const options = [{ value: '', title: '–' }, ...choices];
    for (const values of [[], ['']]) {
      expect(await drawn(field(choice), values)).toMatchObject({ kind: 'select', options, value: values[0] });
      expect(await drawn(field(choice, { isRequired: true }), values)).toMatchObject({ options: choices });
    }
  });

  test('any of several', async () => {
    const several = { ...choice, kind: 'choices' } as const;
    const expected = { ...common, kind: 'checks', values: ['in_kind'], options: choices };
    expect(await drawn(field(several), ['in_kind'])).toEqual(expected);
  });

  test('a box, which nobody has to check', async () => {
    const box = field({ kind: 'boolean' }, { isRequired: true });
    const shown = async (values: readonly string[]): Promise<unknown> => drawn(box, values);
    expect(await shown(['true'])).toEqual({ ...common, kind: 'checkbox', isChecked: true });
    expect(await shown(['false'])).toEqual({ ...common, kind: 'checkbox', isChecked: false });
    expect(await shown([])).toEqual({ ...common, kind: 'checkbox', isChecked: false });
  });
});

/** A page of somebody who may list these records; undefined where they may not. */
function pageWith(records: readonly object[] | undefined, isCut = false): Page {
  const api = {
    may: () => records !== undefined,
    operation: () => ({ query: {} }),
    list: async () => ({ data: records, isCut }),
  };
  return { api, reader: { language: 'en', locale: 'en-GB' } } as unknown as Page;
}

describe('a record is chosen', () => {
  const account = field({ kind: 'reference', to: 'account' });
  const accounts = field({ kind: 'references', to: 'account' });
  const lines = 'The id: open the account in the console; its id is the last part of the address.';
  const cash = { id: '000000000000000000abcdef', name: 'Cash' };
  const savings = { id: '111111111111111111abcdef', name: 'Savings' };
  const twin = { id: '222222222222222222fedcba', name: 'Cash' };

  test.each<[string, Page]>([
    ['who may not list them', pageWith(undefined)],
    ['where there are too many to list', pageWith([cash], true)],
  ])('by its id, typed, %s', async (_who, page) => {
    const hint = `Why. ${lines}`;
    expect(await drawn(account, ['a'], page)).toEqual({
      ...common,
      hint,
      kind: 'text',
      value: 'a',
      autocomplete: 'off',
    });
    expect(await drawn(accounts, ['a', 'b'], page)).toEqual({
      ...common,
      hint: `${hint} One a line.`,
      kind: 'textarea',
      rows: 3,
      value: 'a\nb',
    });
    expect(await drawn({ ...account, hint: undefined }, [], page)).toMatchObject({ hint: lines });
  });

  test('by its id, where the console has no pages for such records', async () => {
    const hint = 'Why. The id: open the record in the console; its id is the last part of the address.';
    const page = pageWith([cash]);
    expect(await drawn(field({ kind: 'reference', to: 'delivery' }), [], page)).toMatchObject({ kind: 'text', hint });
  });

  test('by its name; those of one name are told apart by the end of their id', async () => {
    const options = [
      { value: cash.id, title: 'Cash (…abcdef)' },
      { value: twin.id, title: 'Cash (…fedcba)' },
      { value: savings.id, title: 'Savings' },
    ];
    const page = pageWith([savings, cash, twin]);
    const select = { ...common, kind: 'select', value: cash.id };
    expect(await drawn(account, [cash.id], page)).toEqual({
      ...select,
      options: [{ value: '', title: 'None' }, ...options],
    });
    expect(await drawn({ ...account, isRequired: true }, [cash.id], page)).toEqual({
      ...select,
      isRequired: true,
      options,
    });
    expect(await drawn(accounts, [cash.id], page)).toEqual({ ...common, kind: 'checks', values: [cash.id], options });
    const one = [{ value: savings.id, title: 'Savings' }];
    const expected = { ...common, kind: 'checks', values: [], options: one };
    expect(await drawn(accounts, [], pageWith([savings]))).toEqual(expected);
  });

  test('from those of the client, where the list can be narrowed to them', async () => {
    const reads: unknown[] = [];
    const api = {
      may: () => true,
      operation: () => ({ query: { client_id: {} } }),
      async list(...question: readonly unknown[]) {
        reads.push(question);
        return { data: [], isCut: false };
      },
    };
    const page = { api, reader: { language: 'en', locale: 'en-GB' } } as unknown as Page;
    await formFields(page, [account], {
      values: new Map([['one', []]]),
      narrowing: { client_id: 'c', entity_id: 'e' },
    });
    expect(reads).toEqual([['/v1/accounts', { client_id: 'c' }, 500]]);
  });

  test('and stays chosen where the list does not have it', async () => {
    const options = [
      { value: cash.id, title: 'Cash' },
      { value: 'gone', title: 'gone' },
    ];
    const values = ['gone', cash.id];
    expect(await drawn(accounts, values, pageWith([cash]))).toEqual({ ...common, kind: 'checks', values, options });
  });

  test('from none where there are none', async () => {
    const none = { ...common, hint: 'There are no accounts yet.', kind: 'checks', options: [] };
    expect(await drawn(accounts, [], pageWith([]))).toEqual(none);
  });
});

describe('a fault of a refused form stands', () => {
  const fields = [field({ kind: 'text' }, { name: 'account_ids' }), field({ kind: 'text' }, { name: 'settings.days' })];
  const placed = (errors: readonly { readonly pointer?: string; readonly detail: string }[]): unknown => {
    const problem = { status: 422, code: 'refused', title: 'No', detail: 'Whole.', errors } as unknown;
    const found = placeFaults(problem as Parameters<typeof placeFaults>[0], fields);
    return [Object.fromEntries(found.errors), found.messages];
  };

  test.each<[string, Parameters<typeof placed>[0], unknown]>([
    ['at its field', [{ pointer: '/account_ids', detail: 'A.' }], [{ account_ids: 'A.' }, []]],
    ['at the field that has it', [{ pointer: '/account_ids/0/x', detail: 'A.' }], [{ account_ids: 'A.' }, []]],
    ['at the field of a setting', [{ pointer: '/settings/days', detail: 'A.' }], [{ 'settings.days': 'A.' }, []]],
    [
      'after others of the field',
      [
        { pointer: '/account_ids/0', detail: 'A.' },
        { pointer: '/account_ids/1', detail: 'B.' },
      ],
      [{ account_ids: 'A. B.' }, []],
    ],
    ['above the form, where no field is meant', [{ detail: 'A.' }], [{}, ['A.']]],
    [
      'above the form, where the form has no such field',
      [
        { pointer: '/account_idsx', detail: 'A.' },
        { pointer: '/settings', detail: 'B.' },
        { pointer: '/account_ids', detail: 'C.' },
      ],
      [{ account_ids: 'C.' }, ['A.', 'B.']],
    ],
    ['above the form, as a whole, where nothing else is said', [], [{}, ['Whole.']]],
  ])('%s', (_where, errors, expected) => {
    expect(placed(errors)).toEqual(expected);
  });
});
