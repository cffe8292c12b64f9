// Forms of pages: `postForm({ … })` with an error summary, fields and buttons; `filterForm({ … })` for lists; `secretOnce({ … })`.

import { emptyHtml, html, type Html } from '../../../kit/html.ts';
import { tokenField } from '../layout.ts';
import type { Reader } from '../language/reader.ts';
import { linkableAddress } from './address.ts';
import { attributesHtml, elementId } from './attributes.ts';
import { fieldHtml, fieldId, type Field } from './field.ts';
import { partsTexts } from './parts-texts.ts';

type ButtonKind = 'primary' | 'quiet' | 'danger';

export interface Button {
  readonly title: string;
  /** The first of a row is the primary one unless it says otherwise. */
  readonly kind?: ButtonKind | undefined;
  /** A link that looks like a button, such as Cancel. */
  readonly href?: string | undefined;
  /** What a form with several buttons is sent with. */
  readonly name?: string | undefined;
  readonly value?: string | undefined;
}

export function buttonsRow(buttons: readonly Button[]): Html {
  const written = buttons.map(({ title, kind, href, name, value }, index) => {
    const className = kind ?? (index === 0 ? 'primary' : 'quiet');
    const address = linkableAddress(href);
    if (address !== undefined) return html`<a class="button ${className}" href="${address}">${title}</a>`;
    return html`<button${attributesHtml({ class: className, name, value })}>${title}</button>`;
  });
  return html`<div class="buttons">${written}</div>`;
}

/** What is wrong, above the form, each a link to its field; it takes the focus when the page opens. */
export function errorSummary(
  fields: readonly Field[],
  { reader, messages = [] }: { readonly reader: Reader; readonly messages?: readonly string[] },
): Html {
  const links = fields.flatMap((field) =>
    field.error === undefined ? [] : [html`<li><a href="#${fieldId(field)}">${field.label}: ${field.error}</a></li>`],
  );
  const items = [...messages.map((message) => html`<li>${message}</li>`), ...links];
  if (items.length === 0) return emptyHtml;
  return html`<div class="notice danger error-summary" role="alert" tabindex="-1" autofocus>
    <h2>${partsTexts[reader.language].errorsTitle(items.length)}</h2>
    <ul>
      ${items}
    </ul>
  </div>`;
}

interface PostForm {
  readonly action: string;
  readonly formToken: string;
  readonly reader: Reader;
  readonly fields: readonly Field[];
  readonly buttons: readonly Button[];
  /** Errors that belong to no field. */
  readonly messages?: readonly string[];
  readonly hidden?: Readonly<Record<string, string>>;
  /** What the page adds between the fields and the buttons. */
  readonly more?: Html;
  readonly id?: string;
}

export function postForm({ action, formToken, reader, fields, buttons, messages, hidden, more, id }: PostForm): Html {
  const hasFile = fields.some(({ kind }) => kind === 'file');
  const attributes = attributesHtml({
    class: 'form',
    id,
    method: 'post',
    action: linkableAddress(action),
    enctype: hasFile ? 'multipart/form-data' : undefined,
  });
  return html`<form${attributes}>
    ${errorSummary(fields, { reader, ...(messages !== undefined && { messages }) })}${tokenField(formToken)}
    ${hiddenFields(hidden)} ${fields.map((field) => fieldHtml(field, { reader }))} ${more ?? emptyHtml}
    ${buttonsRow(buttons)}
  </form>`;
}

function hiddenFields(values: Readonly<Record<string, string>> = {}): readonly Html[] {
  return Object.entries(values).map(
    ([name, value]) => html`<input${attributesHtml({ type: 'hidden', name, value })} />`,
  );
}

interface FilterForm {
  /** The path of the list, without parameters. */
  readonly path: string;
  readonly reader: Reader;
  readonly fields: readonly Field[];
  /** Parameters of the address that stay, such as the order; the cursor does not. */
  readonly keep?: Readonly<Record<string, string>>;
  readonly isFiltered?: boolean;
  /** Tells it from another on the same page. */
  readonly label?: string;
  /** The title of its button, where it does not filter a list. */
  readonly button?: string;
}

/** Sends its fields in the address, so that a filtered list can be linked and the back button works. */
export function filterForm({ path, reader, fields, keep, isFiltered = false, label, button }: FilterForm): Html {
  const words = partsTexts[reader.language];
  const clear = isFiltered ? [{ title: words.clearFilter, href: path }] : [];
  const attributes = attributesHtml({ class: 'filter', method: 'get', action: linkableAddress(path), role: 'search' });
  return html`<form${attributes} aria-label="${label ?? words.filter}">
    ${hiddenFields(keep)} ${fields.map((field) => fieldHtml(field, { reader, saysOptional: false }))}
    ${buttonsRow([{ title: button ?? words.applyFilter }, ...clear])}
  </form>`;
}

interface Secret {
  readonly id: string;
  readonly label: string;
  readonly secret: string;
  readonly reader: Reader;
}

/** A new secret, to be copied now. The button is for an island, which shows it. */
export function secretOnce({ id, label, secret, reader }: Secret): Html {
  const words = partsTexts[reader.language];
  const inputId = elementId(id);
  const attributes = attributesHtml({
    type: 'text',
    id: inputId,
    value: secret,
    readonly: true,
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-describedby': `${inputId}-hint`,
  });
  return html`<div class="field secret notice warn">
    <label for="${inputId}">${label}</label>
    <p class="hint" id="${inputId}-hint">${words.secretOnce}</p>
    <span class="with-unit"
      ><input${attributes} /><button type="button" class="quiet" data-copy="${inputId}" hidden>
        ${words.copy}
      </button></span
    >
  </div>`;
}
