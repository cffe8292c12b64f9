// Tests that fields say what they are, what is wrong and where, and that no value injects markup.

import { expect, test } from 'vitest';
import type { Reader } from '../language/reader.ts';
import { confirmationField, dangerConfirmation, isNameTyped } from './danger.ts';
import { fieldHtml, type Field } from './field.ts';
import { filterForm, postForm, secretOnce } from './forms.ts';
import { definitionList, emptyState, note, progressBar, stateDot } from './notes.ts';

const reader: Reader = { language: 'en', locale: 'en-GB' };
const german: Reader = { language: 'de', locale: 'de' };
const evil = '"><script>x</script>';

const kinds: readonly Field[] = [
  { kind: 'text', name: 'name', label: 'Name', value: evil },
  { kind: 'number', name: 'amount', label: 'Amount', value: '12345678901234567.89', unit: 'CHF' },
  { kind: 'date', name: 'day', label: 'Day', value: '2026-10-30' },
  { kind: 'month', name: 'month', label: 'Month', value: '2026-10' },
  { kind: 'textarea', name: 'memo', label: 'Memo', value: `\n${evil}` },
  { kind: 'select', name: 'class', label: 'Class', options: [{ value: 'a', title: evil }], value: 'a' },
  { kind: 'radios', name: 'side', label: 'Side', options: [{ value: evil, title: 'Buy' }] },
  { kind: 'checkbox', name: 'sure', label: 'Sure', isChecked: true },
  { kind: 'password', name: 'pin', label: 'PIN' },
  { kind: 'file', name: 'file', label: 'File', accept: '.xml' },
];

test.each(kinds)('a field of kind $kind has a label, and its hint and error belong to it', (field) => {
  const page = fieldHtml({ ...field, hint: 'How to', error: evil }, { reader }).text;
  expect(page).toContain(`for="field-${field.name}"`);
  expect(page).toMatch(new RegExp(`id="field-${field.name}"`));
  expect(page).toContain(`aria-describedby="field-${field.name}-hint field-${field.name}-error"`);
  expect(page).toContain(`<p class="hint" id="field-${field.name}-hint">How to</p>`);
  expect(page).toContain(`<p class="error" id="field-${field.name}-error">&quot;&gt;&lt;script&gt;`);
  expect(page).not.toContain('<script');
  expect(page.includes('aria-invalid="true"')).toBe(field.kind !== 'radios');
});

test('an amount stays the text that was typed, on a keyboard of digits', () => {
  const page = fieldHtml(kinds[1]!, { reader }).text;
  expect(page).toContain('type="text"');
  expect(page).toContain('value="12345678901234567.89"');
  expect(page).toContain('inputmode="decimal"');
});

test('a required choice begins with none, and one that was made keeps it', () => {
  const field = {
    kind: 'select',
    name: 'a',
    label: 'A',
    options: [{ value: 'x', title: 'X' }],
    isRequired: true,
  } as const;
  expect(fieldHtml(field, { reader }).text).toContain('<option value="">Choose</option>');
  const chosen = fieldHtml({ ...field, value: 'x' }, { reader }).text;
  expect(chosen).not.toContain('value=""');
  expect(chosen).toMatch(/<option value="x" selected>X<\/option\s*>/);
});

test('a form that was refused says at its top what is wrong, with links to the fields', () => {
  const fields = kinds.map((field) => (field.name === 'day' ? { ...field, error: 'Not a day of business.' } : field));
  const page = postForm({ action: '/a', formToken: 't0k', reader, fields, buttons: [{ title: 'Save' }] }).text;
  expect(page).toMatch(
    /role="alert"[^]*One entry needs your attention[^]*href="#field-day">Day: Not a day of business/,
  );
  expect(page).toContain('name="form_token" value="t0k"');
  expect(page).toContain('enctype="multipart/form-data"');
  expect(page).toMatch(/<button class="primary">Save<\/button\s*>/);
});

test('fields of the same name in two forms have ids of their own, without characters that links would read', () => {
  const page = fieldHtml({ kind: 'text', name: 'a[b] c', label: 'A', form: 'second' }, { reader }).text;
  expect(page).toContain('id="second-a-b-c"');
  expect(page).toContain('name="a[b] c"');
});

test('a filter sends its fields in the address, keeps the order and can be cleared', () => {
  const page = filterForm({
    path: '/list',
    reader,
    fields: [kinds[0]!],
    keep: { sort: '-value' },
    isFiltered: true,
  }).text;
  expect(page).toContain('method="get" action="/list"');
  expect(page).toContain('type="hidden" name="sort" value="-value"');
  expect(page).toContain('<a class="button quiet" href="/list">Clear</a>');
  expect(page).not.toContain('optional');
  expect(page).not.toContain('form_token');
});

test('a secret says that it is shown once, and can be copied without scripts', () => {
  const page = secretOnce({ id: 'key', label: 'Secret', secret: 's3cret', reader: german }).text;
  expect(page).toContain('Wird nur dieses eine Mal gezeigt');
  expect(page).toMatch(/value="s3cret" readonly/);
  expect(page).toMatch(/data-copy="key" hidden/);
});

const deletion = {
  name: 'Lindqvist  Family',
  action: '/clients/1/delete',
  formToken: 't',
  cancelHref: '/clients/1',
  reader,
};

test('deleting shows what goes with it and wants the name', () => {
  const page = dangerConfirmation({ ...deletion, together: [{ title: '12 accounts', href: '/accounts' }] }).text;
  expect(page).toMatch(/This is deleted with it:[^]*<a href="\/accounts">12 accounts<\/a\s*>[^]*This cannot be undone/);
  expect(page).toContain(`name="${confirmationField}"`);
  expect(page).not.toContain('aria-invalid');
  expect(dangerConfirmation({ ...deletion, typed: 'Lindqvist' }).text).toContain('aria-invalid="true"');
});

test('what cannot be deleted says why and has nothing to type', () => {
  const page = dangerConfirmation({ ...deletion, blockers: [{ title: '3 transactions' }] }).text;
  expect(page).toMatch(/cannot be deleted while it still has:[^]*3 transactions/);
  expect(page).not.toContain('<form');
});

test('a name counts as typed with other blanks, not with other letters', () => {
  expect(isNameTyped('Lindqvist  Family', ' Lindqvist Family ')).toBe(true);
  expect(isNameTyped('A\u030Alund', 'Ålund')).toBe(true);
  expect(isNameTyped('Lindqvist Family', 'lindqvist family')).toBe(false);
  expect(isNameTyped('Lindqvist', '')).toBe(false);
});

test('progress has a bar and words in the reader’s numbers; without a total it has only words', () => {
  const part = { id: 'run', label: 'Booking', done: 1200 };
  const page = progressBar({ ...part, total: 5000, reader: german }).text;
  expect(page).toMatch(/<progress id="run-bar"\s+value="1200" max="5000">/);
  expect(page).toContain('1.200 von 5.000');
  expect(progressBar({ ...part, total: null, reader }).text).toMatch(
    /<progress id="run-bar"\s*>Working<\/progress\s*>/,
  );
  expect(progressBar({ ...part, total: 0, reader }).text).toMatch(/value="0" max="1"/);
});

test('notes, states, facts and empty lists show texts as texts', () => {
  const parts = [
    note(evil, { tone: 'warn', isLive: true }),
    stateDot(evil, 'down'),
    definitionList([{ title: evil, value: evil, href: 'javascript:x' }]),
    emptyState({ title: evil, text: evil, action: { title: evil, href: 'javascript:x' } }),
  ];
  for (const { text } of parts) expect(text).not.toMatch(/<script|javascript/);
  expect(parts[0]!.text).toContain('role="status"');
});
