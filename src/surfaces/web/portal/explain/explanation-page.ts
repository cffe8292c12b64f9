// How a figure came about, as a page that a person reads: the figure, in words, step by step, down to the booking and the price.

import { allInOrder } from '../../../../kit/concurrency/all-in-order.ts';
import { emptyHtml, html, type Html } from '../../../../kit/html.ts';
import { withParameters } from '../../parts/address.ts';
import { note } from '../../parts/notes.ts';
import { card } from '../../parts/parts.ts';
import type { PageContent } from '../../signed-in-page.ts';
import { entityPage } from '../entity-page.ts';
import type { EntityView } from '../entity-view.ts';
import { rowsInTurns } from '../../tables/rows-in-turns.ts';
import type { Table } from '../../tables/table.ts';
import { tableCard } from '../performance/table-card.ts';
import { aboveHref, explainParameters } from './explanation-links.ts';
import { describe, stepsOf, stepsTable, unitWords, type StepsContext } from './explanation-steps.ts';
import { explanationTexts } from './explanation-texts.ts';
import { focusOn, readPath, valueText, type ExplainedFigure, type FocusedFigure } from './explanation-tree.ts';
import { figureName } from './figure-names.ts';
import { sourceCard } from './source-card.ts';
import { readWindow, windowStory } from './window-story.ts';

const showExplanation = entityPage({
  id: 'entity-explanation',
  path: '/explain',
  summary: 'How a figure came about, in words and step by step',
  controls: [],
  title: ({ page }) => explanationTexts[page.reader.language].title,
  read: readExplanation,
});

const stepsPerPage = 60;
/** Three levels show the values and the flow of each day of a return; a longer window shows its returns alone. */
const levels = 3;

async function readExplanation(view: EntityView): Promise<PageContent> {
  const { api, query, formats, reader, address } = view.page;
  const path = readPath(query.get('at'));
  const parameters = Object.fromEntries(explainParameters.map((name) => [name, query.get(name)]));
  const depth = String(path.length + levels);
  const question = { ...view.entityQuery, ...parameters, origin_at: ['root', ...path].join('.'), depth };
  const [{ name }, answer, window] = await allInOrder([
    view.entity,
    api.get('/v1/explain', question),
    readWindow(view),
  ]);
  const focus = focusOn(answer.explanation, path);
  const { figure } = focus;
  const text = explanationTexts[reader.language];
  const context: StepsContext = { address, query, focus, language: reader.language, formats, text };
  const all = stepsOf(figure);
  const first = Math.min(Math.max(Math.trunc(Number(query.get('step'))) || 0, 0), Math.max(all.length - 1, 0));
  const table: Table | undefined =
    all.length === 0
      ? undefined
      : {
          ...stepsTable(context, all.slice(first, first + stepsPerPage)),
          fileRows: rowsInTurns(() => all.values().flatMap((step) => stepsTable(context, [step]).rows)),
        };
  const pager = stepsPager(context, first, all.length);
  const main = html`${trail(context)}${wordsCard(context, windowStory(view, window))}
  ${table === undefined ? emptyHtml : tableCard(view, table, { after: pager })}
  ${figure.truncated === true ? note(text.truncated) : emptyHtml}${calculationCard(context)}${sourceCard(view, figure)}`;
  return {
    title: valueText(figure, { formats, words: unitWords(text) }),
    lede: html`${subtitle(view, { name, answer }, focus)}`,
    main,
    ...(table === undefined ? {} : { tables: [table] }),
  };
}

/** What the figure is, of whom and when. */
function subtitle(
  view: EntityView,
  { name, answer }: { readonly name: string; readonly answer: any },
  { figure, path }: FocusedFigure,
): string {
  const { formats, reader, query } = view.page;
  const text = explanationTexts[reader.language];
  const [start, end] = [query.get('start'), query.get('end')];
  const label = figureName(figure.name, reader.language);
  const subject = figure.source?.instrument_name ?? undefined;
  const what = subject === undefined ? label : text.subjectOf(label, subject);
  const day = formats.dateLong(figure.date ?? view.dayOf(answer.as_of));
  const isWindow = path.length === 0 && start !== null && end !== null;
  const when = isWindow ? text.window(formats.dateLong(start), formats.dateLong(end)) : day;
  return `${what} · ${text.ofEntity(name, when)}`;
}

/** The figures that led here, each a link back. */
function trail(context: StepsContext): Html {
  const { focus, formats, language, text } = context;
  if (focus.above.length === 0) return emptyHtml;
  const items = focus.above.map((figure, depth) => {
    const value = valueText(figure, { formats, words: unitWords(text) });
    return html`<li><a href="${aboveHref(context, depth)}">${figureName(figure.name, language)}: ${value}</a></li>`;
  });
  return html`<nav aria-label="${text.trail}">
    <ol class="trail">
      ${items}
    </ol>
  </nav>`;
}

const wordsMax = 8;

/** The API's sentences in English; in German what they say, in the reader's numbers. */
function sentenceOf(context: StepsContext, figure: ExplainedFigure): string {
  const { language, formats, text } = context;
  if (language === 'en') return figure.sentence;
  const label = describe(context, figure);
  const day =
    figure.date === undefined || figure.unit === 'day' ? label : text.onDay(label, formats.dateLong(figure.date));
  return `${day}: ${valueText(figure, { formats, words: unitWords(text) })}`;
}

function wordsCard(context: StepsContext, story: Html): Html {
  const { focus, text } = context;
  const { figure } = focus;
  const parts = figure.of ?? [];
  const listed =
    parts.length === 0 || parts.length > wordsMax
      ? emptyHtml
      : html`<ul>
          ${parts.map((part) => html`<li>${sentenceOf(context, part)}</li>`)}
        </ul>`;
  const count = parts.length === 0 ? emptyHtml : html`<p>${text.consistsOf(parts.length)}</p>`;
  const hidden = figure.notes?.includes('not-visible') === true ? html`<p>${text.hidden}</p>` : emptyHtml;
  return card(
    text.inWords,
    html`<p>${sentenceOf(context, figure)}.</p>
      ${story} ${count}${listed}${hidden}`,
  );
}

const formulaLengthMax = 400;

function calculationCard({ focus, text }: StepsContext): Html {
  const { value, unit, formula, operation, rounding, of = [] } = focus.figure;
  if (value === null || (formula === undefined && operation === undefined)) return emptyHtml;
  const exact = unit === undefined || unit === 'day' ? value : `${value} ${unit}`;
  const operations: Readonly<Record<string, string>> = {
    'square-root': text.squareRoot,
    exponential: text.exponential,
    power: text.power,
    root: text.root,
  };
  const roundings: Readonly<Record<string, string>> = {
    'half-even at 18 places': text.rounded,
    double: text.double,
    solved: text.solved,
  };
  const cut =
    formula !== undefined && formula.length > formulaLengthMax
      ? `${formula.slice(0, formulaLengthMax)} ${text.cutFormula(of.length)}`
      : formula;
  const line = cut === undefined ? exact : `${cut}\n= ${exact}`;
  const words = [operations[operation ?? ''], roundings[rounding ?? '']].filter((one) => one !== undefined);
  return card(
    text.calculation,
    html`<pre class="formula" tabindex="0">${line}</pre>
      ${words.map((one) => html`<p class="soft">${one}.</p>`)}`,
  );
}

function stepsPager({ address, text }: StepsContext, first: number, all: number): Html {
  if (all <= stepsPerPage) return emptyHtml;
  const href = (step: number): string => withParameters(address, { step: step === 0 ? null : String(step) });
  const last = Math.min(first + stepsPerPage, all);
  return html`<nav class="pager" aria-label="${text.stepByStep}">
    <span class="soft">${text.shown(first + 1, last, all)}</span>
    ${first === 0 ? emptyHtml : html`<a href="${href(Math.max(first - stepsPerPage, 0))}">${text.newer}</a>`}
    ${last === all ? emptyHtml : html`<a rel="next" href="${href(last)}">${text.more}</a>`}
  </nav>`;
}

export const explanationPaths = [showExplanation];
