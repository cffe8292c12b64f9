// Draws the filter of a limit as nested groups of conditions. Each button sends the form, which comes back with one more or one less; with
// scripts an island does the same without leaving the page.

import { emptyHtml, html, type Html } from '../../../../kit/html.ts';
import { filterDepthMax, limitFilterFields, operatorsForField } from '../../../../model/limit/limit-filter.ts';
import { keysOf } from '../../../../kit/keys.ts';
import { attributesHtml, elementId } from '../../parts/attributes.ts';
import { fieldHtml, type Field } from '../../parts/field.ts';
import type { Reader } from '../../language/reader.ts';
import { rootName, type ConditionDraft, type FilterDraft, type GroupDraft } from './filter-draft.ts';
import { valueFields, type FilterChoices } from './filter-values.ts';

const fieldTitles: Readonly<Record<keyof typeof limitFilterFields, string>> = {
  'instrument_class.path': 'Class or below it',
  'instrument_class.id': 'Exactly the class',
  'instrument.id': 'Instrument',
  'instrument.type': 'Type of instrument',
  issuer_country: 'Country of the issuer',
  tags: 'Tags',
  currency: 'Currency',
  custodian: 'Custodian',
  'portfolio.id': 'Portfolio',
};

const operatorTitles: Readonly<Record<string, string>> = {
  equals: 'is exactly',
  in: 'is one of',
  not_in: 'is none of',
  starts_with: 'is or lies below',
  contains: 'has all of',
};

const groupTitles = { and: 'All of these hold', or: 'At least one of these holds' } as const;

interface EditorView {
  readonly reader: Reader;
  readonly choices: FilterChoices;
  /** By the names of the editor's fields. */
  readonly errors: ReadonlyMap<string, string>;
}

interface Drawn {
  readonly main: Html;
  /** Every field, for the summary of errors. */
  readonly fields: readonly Field[];
}

export function filterEditor(draft: GroupDraft, view: EditorView): Drawn {
  const { main, fields } = groupHtml(draft, { name: rootName, number: '', depth: 1 }, view);
  return { main: html`<div data-filter-editor id="filter-editor">${main}</div>`, fields };
}

interface Place {
  readonly name: string;
  /** Its place in words: 2.1 is the first of the second; empty for the outermost group. */
  readonly number: string;
  readonly depth: number;
}

function nodeHtml(draft: FilterDraft, place: Place, view: EditorView): Drawn {
  return draft.kind === 'condition' ? conditionHtml(draft, place, view) : groupHtml(draft, place, view);
}

function groupHtml(draft: GroupDraft, { name, number, depth }: Place, view: EditorView): Drawn {
  const kind: Field = {
    kind: 'select',
    name: `${name}.kind`,
    label: 'A holding counts if',
    options: keysOf(groupTitles).map((value) => ({ value, title: groupTitles[value] })),
    value: draft.kind,
    error: view.errors.get(`${name}.kind`),
    isRequired: true,
  };
  const inner = draft.filters.map((one, index) => {
    const inside = number === '' ? `${index + 1}` : `${number}.${index + 1}`;
    return nodeHtml(one, { name: `${name}.${index}`, number: inside, depth: depth + 1 }, view);
  });
  const isRoot = number === '';
  const title = isRoot ? 'Which holdings count' : `Group ${number}`;
  const main = html`<fieldset class="filter-group">
    <legend>${title}</legend>
    ${fieldHtml(kind, { reader: view.reader })} ${inner.map((one) => one.main)}
    <div class="buttons">
      ${actButton('Add a condition', `condition:${name}`, title)}
      ${depth < filterDepthMax - 1 ? actButton('Add a group', `group:${name}`, title) : emptyHtml}
      ${isRoot ? emptyHtml : actButton('Remove the group', `remove:${name}`, title)}
    </div>
  </fieldset>`;
  return { main, fields: [kind, ...inner.flatMap(({ fields }) => fields)] };
}

function conditionHtml(draft: ConditionDraft, { name, number }: Place, view: EditorView): Drawn {
  const title = `Condition ${number}`;
  const { reader, errors, choices } = view;
  const field: Field = {
    kind: 'select',
    name: `${name}.field`,
    label: 'Property',
    options: keysOf(fieldTitles).map((value) => ({ value, title: fieldTitles[value] })),
    value: draft.field,
    error: errors.get(`${name}.field`),
    isRequired: true,
  };
  const operator: Field = {
    kind: 'select',
    name: `${name}.operator`,
    label: 'Comparison',
    options: operatorsForField(draft.field).map((value) => ({ value, title: operatorTitles[value] ?? value })),
    value: draft.operator,
    error: errors.get(`${name}.operator`),
    isRequired: true,
  };
  const values = valueFields(draft, { name: `${name}.value`, error: errors.get(`${name}.value`), choices });
  const hidden = { [`${name}.kind`]: 'condition', [`${name}.was`]: draft.field };
  const main = html`<fieldset class="filter-condition">
    <legend>${title}</legend>
    ${Object.entries(hidden).map(
      ([hiddenName, value]) => html`<input${attributesHtml({ type: 'hidden', name: hiddenName, value })} />`,
    )}
    <div class="filter-row">${[field, operator, ...values].map((one) => fieldHtml(one, { reader }))}</div>
    <div class="buttons">
      ${actButton('Show choices', 'show:', title)} ${actButton('Remove', `remove:${name}`, title)}
    </div>
  </fieldset>`;
  return { main, fields: [field, operator, ...values] };
}

/** Its label says where: several buttons of an editor are called the same. */
function actButton(title: string, act: string, place: string): Html {
  const attributes = attributesHtml({
    class: 'quiet',
    name: 'act',
    value: act,
    id: elementId('act', act, place),
    formnovalidate: true,
    'aria-label': `${title}: ${place}`,
  });
  return html`<button${attributes}>${title}</button>`;
}
