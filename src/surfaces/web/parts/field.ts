// A field of a form with its label, hint and error: `fieldHtml({ kind: 'date', name: 'day', label: 'Day', error }, { reader })`.

import { emptyHtml, html, type Html } from '../../../kit/html.ts';
import type { Reader } from '../language/reader.ts';
import { attributesHtml, elementId } from './attributes.ts';
import { breakable } from './breakable.ts';
import { sentenceHtml } from './notes.ts';
import { partsTexts } from './parts-texts.ts';

interface FieldBase {
  readonly name: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly isRequired?: boolean | undefined;
  /** Tells fields of the same name in two forms of a page apart. */
  readonly form?: string | undefined;
}

interface Option {
  readonly value: string;
  readonly title: string;
  /** A sentence of the API below the title, where each choice has its own place. */
  readonly text?: string | undefined;
}

interface TypedField extends FieldBase {
  readonly value?: string | undefined;
  readonly autocomplete?: string | undefined;
}

interface ChoiceField extends FieldBase {
  readonly options: readonly Option[];
  readonly value?: string | undefined;
}

export type Field =
  | (TypedField & { readonly kind: 'text' | 'email' | 'url' | 'search'; readonly maxLength?: number | undefined })
  /** Text, so that no browser turns decimals into doubles; a unit such as CHF stands behind it. */
  | (TypedField & { readonly kind: 'number'; readonly unit?: string | undefined })
  | (TypedField & {
      readonly kind: 'date' | 'month';
      readonly min?: string | undefined;
      readonly max?: string | undefined;
    })
  | (TypedField & {
      readonly kind: 'textarea';
      readonly rows?: number | undefined;
      readonly maxLength?: number | undefined;
    })
  /** Written by the person, never shown again. */
  | (FieldBase & { readonly kind: 'password'; readonly autocomplete?: string | undefined })
  | (ChoiceField & { readonly kind: 'select' })
  | (ChoiceField & { readonly kind: 'radios' })
  /** Any number of a list: the form has its name once for each. */
  | (FieldBase & {
      readonly kind: 'checks';
      readonly options: readonly Option[];
      readonly values?: readonly string[] | undefined;
    })
  | (FieldBase & {
      readonly kind: 'checkbox';
      readonly isChecked?: boolean | undefined;
      readonly value?: string | undefined;
    })
  | (FieldBase & {
      readonly kind: 'file';
      readonly accept?: string | undefined;
      readonly isMultiple?: boolean | undefined;
    });

export interface FieldView {
  readonly reader: Reader;
  /** Filters are all optional and do not say so. */
  readonly saysOptional?: boolean;
}

/** The id of the element that an error links to and that takes the focus. */
export function fieldId({ name, form = 'field' }: Pick<FieldBase, 'name' | 'form'>): string {
  return elementId(form, name);
}

export function fieldHtml(field: Field, { reader, saysOptional = true }: FieldView): Html {
  const words = partsTexts[reader.language];
  const id = fieldId(field);
  const isOptional = saysOptional && field.isRequired !== true && field.kind !== 'checkbox' && field.kind !== 'checks';
  const label = html`${breakable(field.label)}${isOptional ? html` <span class="optional">(${words.optional})</span>` : emptyHtml}`;
  const hint = field.hint ?? (field.kind === 'month' ? words.monthHint : undefined);
  const below = html`${hint === undefined ? emptyHtml : html`<p class="hint" id="${id}-hint">${hint}</p>`}${
    field.error === undefined ? emptyHtml : html`<p class="error" id="${id}-error">${field.error}</p>`
  }`;
  const className = field.error === undefined ? 'field' : 'field invalid';
  const described = describedBy(field, hint);
  if (field.kind === 'radios' || field.kind === 'checks')
    return choicesHtml(field, { label, below, className, described });
  const control = controlHtml(field, { described, choose: words.choose });
  if (field.kind === 'checkbox') {
    return html`<div class="${className} check">${control}<label for="${id}">${label}</label>${below}</div>`;
  }
  return html`<div class="${className}"><label for="${id}">${label}</label>${below}${control}</div>`;
}

type Described = Readonly<Record<'aria-describedby' | 'aria-invalid', string | undefined>>;

function describedBy(field: Field, hint: string | undefined): Described {
  const id = fieldId(field);
  const ids = [hint === undefined ? '' : `${id}-hint`, field.error === undefined ? '' : `${id}-error`];
  const text = ids.filter((part) => part !== '').join(' ');
  return {
    'aria-describedby': text === '' ? undefined : text,
    'aria-invalid': field.error === undefined ? undefined : 'true',
  };
}

type ControlField = Exclude<Field, { kind: 'radios' | 'checks' }>;

function controlHtml(field: ControlField, { described, choose }: { described: Described; choose: string }): Html {
  const common = { id: fieldId(field), name: field.name, required: field.isRequired === true, ...described };
  const input = (type: string, more: Parameters<typeof attributesHtml>[0]): Html =>
    html`<input${attributesHtml({ type, ...common, ...more })} />`;
  switch (field.kind) {
    case 'number': {
      const control = input('text', {
        value: field.value,
        inputmode: 'decimal',
        autocomplete: field.autocomplete ?? 'off',
      });
      return field.unit === undefined
        ? control
        : html`<span class="with-unit">${control}<span class="unit">${field.unit}</span></span>`;
    }
    case 'date':
      return input('date', { value: field.value, min: field.min, max: field.max });
    case 'month':
      return input('month', { value: field.value, min: field.min, max: field.max, pattern: '[0-9]{4}-[0-9]{2}' });
    case 'textarea': {
      const attributes = attributesHtml({ ...common, rows: field.rows ?? 4, maxlength: field.maxLength });
      // A browser drops the first line break of a textarea.
      return html`<textarea${attributes}>${`\n${field.value ?? ''}`}</textarea>`;
    }
    case 'password':
      return input('password', { autocomplete: field.autocomplete ?? 'off', spellcheck: 'false' });
    case 'select':
      return selectHtml(field, { common, choose });
    case 'checkbox':
      return input('checkbox', { value: field.value ?? 'true', checked: field.isChecked === true });
    case 'file':
      return input('file', { accept: field.accept, multiple: field.isMultiple === true });
    default:
      return input(field.kind, { value: field.value, maxlength: field.maxLength, autocomplete: field.autocomplete });
  }
}

/** A required choice that nobody made yet begins with none, so that nobody chooses the first by accident. */
function selectHtml(
  { options, value, isRequired = false }: ChoiceField,
  { common, choose }: { common: Parameters<typeof attributesHtml>[0]; choose: string },
): Html {
  const isChosen = options.some((option) => option.value === value);
  const none = isRequired && !isChosen ? html`<option value="">${choose}</option>` : emptyHtml;
  return html`<select${attributesHtml(common)}>${none}${options.map(
    (option) =>
      html`<option${attributesHtml({ value: option.value, selected: option.value === value })}>${option.title}</option>`,
  )}</select>`;
}

interface Surroundings {
  readonly label: Html;
  readonly below: Html;
  readonly className: string;
  readonly described: Described;
}

function choicesHtml(
  field: Extract<Field, { kind: 'radios' | 'checks' }>,
  { label, below, className, described }: Surroundings,
): Html {
  const { name, options } = field;
  const isRadio = field.kind === 'radios';
  const chosen = new Set(isRadio ? [field.value] : field.values);
  const choices = options.map((option, index) => {
    const id = index === 0 ? fieldId(field) : `${fieldId(field)}-${index}`;
    const type = isRadio ? 'radio' : 'checkbox';
    const attributes = { type, id, name, value: option.value, required: isRadio && field.isRequired === true };
    return html`<div class="check">
      <input${attributesHtml({ ...attributes, checked: chosen.has(option.value) })} /><label for="${id}"
        >${option.title}${option.text === undefined ? emptyHtml : html`<small>${sentenceHtml(option.text)}</small>`}</label
      >
    </div>`;
  });
  const group = attributesHtml({
    class: isRadio ? className : `${className} checks`,
    'aria-describedby': described['aria-describedby'],
  });
  return html`<fieldset${group}><legend>${label}</legend>${below}${choices}</fieldset>`;
}
