// A page of a reporting entity: `entityPage({ id, tab, summary, controls, read })`. It reads the entity and the choices in the address,
// draws tabs, controls and the banner of what was known, and keeps them when the API refuses what the page asks.

import { allInOrder } from '../../../kit/concurrency/all-in-order.ts';
import { fixedText, parseFixed } from '../../../kit/fixed.ts';
import { emptyHtml, html, type Html } from '../../../kit/html.ts';
import { withParameters } from '../parts/address.ts';
import { marksLegend } from '../parts/marks.ts';
import { emptyState, note, sentenceHtml } from '../parts/notes.ts';
import { RefusedCall } from '../page-api.ts';
import { signedInPage, type PageContent } from '../signed-in-page.ts';
import type { WebPath } from '../web-path.ts';
import { controlsHtml, tabPath, tabsHtml, type Control, type EntityTab } from './entity-controls.ts';
import { entityTexts } from './entity-texts.ts';
import { readEntityView, type Entity, type EntityView } from './entity-view.ts';

type EntityContent = Omit<PageContent, 'title'> & { readonly title?: string };

export interface EntityPage {
  readonly id: string;
  /** The tab that the page is; undefined for pages below a tab, which say their path. */
  readonly tab?: EntityTab;
  /** The path below `/entities/{entity}`; that of the tab unless told otherwise. */
  readonly path?: string;
  readonly summary: string;
  /** The choices that the page offers besides "as known at". */
  readonly controls: readonly Control[];
  /** The title of a page that is no tab. */
  readonly title?: (view: EntityView, name: string) => string;
  /** False for a page that says by itself at which moment it was known. */
  readonly hasBanner?: boolean;
  /** With a title where only what was read says it. */
  read(view: EntityView): Promise<EntityContent>;
}

export function entityPage(definition: EntityPage): WebPath {
  const { id, tab, summary, path = tab === undefined ? '' : tabPath(tab) } = definition;
  return signedInPage({
    id,
    path: `/entities/{entity}${path}`,
    summary,
    area: 'portal',
    async handle(page) {
      const entityId = page.params['entity'] ?? '';
      const path = `/v1/reporting-entities/${encodeURIComponent(entityId)}`;
      const view = readEntityView(page, entityId, async () => entityOf(await page.api.get(path)));
      return showEntity(view, definition);
    },
  });
}

export function entityOf({ id, name, client_id }: any): Entity {
  return { id, name, clientId: client_id };
}

/** All reads begin at once; without the entity there is no page, whatever its reports say. */
export async function showEntity(view: EntityView, definition: EntityPage): Promise<PageContent> {
  const { page } = view;
  const { tab, controls, title, path = tab === undefined ? '' : tabPath(tab), hasBanner = true } = definition;
  const ownPath = path.replaceAll(/\{(\w+)\}/g, (_whole, parameter: string) =>
    encodeURIComponent(page.params[parameter] ?? ''),
  );
  const [{ name }, content, banner] = await allInOrder([
    view.entity,
    orProblem(view, definition.read(view)),
    hasBanner ? knownAtBanner(view) : emptyHtml,
  ]);
  const heading = tab === undefined ? '' : entityTexts[page.reader.language][tab];
  const ownTitle = tab === 'overview' ? name : `${heading} · ${name}`;
  return {
    ...content,
    title: content.title ?? title?.(view, name) ?? ownTitle,
    main: html`${tabsHtml(view, tab)}${controlsHtml(view, `/entities/${view.entityId}${ownPath}`, controls)}${banner}
    ${content.main}${marksLegend(content.main, page.reader)}`,
  };
}

/** What the API refuses because of a choice is said between the controls, so that the reader can choose otherwise. */
async function orProblem({ page, knownAt }: EntityView, content: Promise<EntityContent>): Promise<EntityContent> {
  try {
    return await content;
  } catch (error) {
    if (!(error instanceof RefusedCall) || error.problem.status >= 500 || error.problem.status === 429) throw error;
    const { status, title, detail } = error.problem;
    if (status === 404 && knownAt !== undefined) {
      const text = entityTexts[page.reader.language];
      return { status, refusal: error, main: emptyState({ title: text.notYetKnown, text: text.notYetKnownText }) };
    }
    return {
      status,
      refusal: error,
      main: note(
        html`<p><strong>${title}</strong></p>
          <p>${sentenceHtml(detail)}</p>`,
        { tone: 'danger' },
      ),
    };
  }
}

/** Says what is shown if it is not what is known today, and how the value has changed since. */
async function knownAtBanner(view: EntityView): Promise<Html> {
  const { page, knownAt } = view;
  if (knownAt === undefined || Number.isNaN(Date.parse(knownAt))) return emptyHtml;
  const text = entityTexts[page.reader.language];
  const difference = await valueDifference(view);
  return note(
    html`<p><strong>${text.asKnownAt(page.formats.datetime(knownAt, page.timeZone))}</strong></p>
      <p>${text.knownAtMeaning} ${difference}</p>
      <p>
        <a href="${view.href('/known')}">${text.seeDifference}</a> ·
        <a href="${withParameters(page.address, { known_at: null })}">${text.backToToday}</a>
      </p>`,
    { tone: 'warn' },
  );
}

async function valueDifference(view: EntityView): Promise<string> {
  const { page, entityId, asOf, currency } = view;
  const query = { reporting_entity_id: entityId, currency, detail: 'summary' };
  const then = await page.api.find('/v1/performance', { ...query, end: asOf, known_at: view.knownAt });
  if (then === undefined) return '';
  const now = await page.api.find('/v1/performance', { ...query, end: then.end, currency: then.currency });
  if (now === undefined) return '';
  const [before, after]: readonly [string, string] = [then.data[0].end_market_value, now.data[0].end_market_value];
  const text = entityTexts[page.reader.language];
  const { formats } = page;
  const day = formats.dateLong(then.end);
  const change = fixedText(parseFixed(after) - parseFixed(before));
  const written = (value: string): string => formats.moneyWithCode(value, then.currency);
  if (before === after) return text.knownSame(day, written(before));
  return text.knownDifference(day, written(before), written(after), formats.signedMoney(change, now.currency));
}
