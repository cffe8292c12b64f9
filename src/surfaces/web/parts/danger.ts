// Deleting asks by name: `dangerConfirmation({ name, together, … })` shows what hangs on a record and wants its name typed.

import { emptyHtml, html, type Html } from '../../../kit/html.ts';
import type { Reader } from '../language/reader.ts';
import { linkableAddress } from './address.ts';
import { breakable } from './breakable.ts';
import { buttonsRow, postForm } from './forms.ts';
import { note } from './notes.ts';
import { partsTexts } from './parts-texts.ts';

interface Hanging {
  /** In words, such as "12 accounts". */
  readonly title: string;
  readonly href?: string | undefined;
}

interface DangerConfirmation {
  readonly name: string;
  readonly action: string;
  readonly formToken: string;
  readonly cancelHref: string;
  readonly reader: Reader;
  /** What is deleted with it. */
  readonly together?: readonly Hanging[];
  /** What has to go first; nothing can be typed then. */
  readonly blockers?: readonly Hanging[];
  /** What the person typed when it was not the name. */
  readonly typed?: string | undefined;
  readonly buttonTitle?: string;
  /** Where it is not a deletion: what happens, and what is affected. */
  readonly heading?: string;
  readonly togetherTitle?: string;
}

/** The name of the field that the name is typed into. */
export const confirmationField = 'confirm_name';

/** Whether the typed name is the record's: blanks around and between words do not count, letters do. */
export function isNameTyped(name: string, typed: string): boolean {
  return plainName(name) === plainName(typed);
}

function plainName(name: string): string {
  return name.normalize('NFC').replaceAll(/\s+/g, ' ').trim();
}

export function dangerConfirmation(input: DangerConfirmation): Html {
  const { name, action, formToken, cancelHref, reader, together = [], blockers = [], typed } = input;
  const { buttonTitle, heading, togetherTitle } = input;
  const words = partsTexts[reader.language];
  const cancel = { title: words.cancel, href: cancelHref, kind: 'quiet' } as const;
  if (blockers.length > 0) {
    const reason = html`<p>${words.deleteBlocked(name)}</p>
      ${hangingList(blockers)}`;
    return html`${note(reason, { tone: 'warn' })}${buttonsRow([cancel])}`;
  }
  const warning = html`${
      together.length === 0
        ? emptyHtml
        : html`<p>${togetherTitle ?? words.deleteTogether}</p>
            ${hangingList(together)}`
    }
    <p>${words.deleteFinal}</p>`;
  const isWrong = typed !== undefined && !isNameTyped(name, typed);
  return html`<section class="card danger-zone">
    <h2>${breakable(heading ?? words.deleteTitle(name))}</h2>
    ${warning}
    ${postForm({
      action,
      formToken,
      reader,
      fields: [
        {
          kind: 'text',
          name: confirmationField,
          label: words.typeName(name),
          value: typed,
          autocomplete: 'off',
          isRequired: true,
          error: isWrong ? words.nameMismatch(name) : undefined,
        },
      ],
      buttons: [{ title: buttonTitle ?? words.delete, kind: 'danger' }, cancel],
    })}
  </section>`;
}

function hangingList(items: readonly Hanging[]): Html {
  return html`<ul>
    ${items.map(({ title, href }) => {
      const address = linkableAddress(href);
      return html`<li>${address === undefined ? title : html`<a href="${address}">${title}</a>`}</li>`;
    })}
  </ul>`;
}
