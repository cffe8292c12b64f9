// Small parts of pages. A page: `figuresList([{ title, value, explain }])`, `card(title, content)`, `tabs(label, links)`, `chips(links)`.

import { emptyHtml, html, type Html } from '../../../kit/html.ts';
import { toneOf } from '../tables/table-html.ts';
import { linkableAddress } from './address.ts';

interface FigureItem {
  readonly title: string;
  /** As shown; a sign at its start gives the colour. */
  readonly value: string;
  readonly small?: string;
  readonly explain?: string | undefined;
  /** The page that explains what stands below the value. */
  readonly smallExplain?: string | undefined;
}

export function figuresList(items: readonly FigureItem[]): Html {
  return html`<dl class="figures">
    ${items.map(({ title, value, small, explain, smallExplain }) => {
      const below = small === undefined ? emptyHtml : html` <small>${figureDoor(small, smallExplain)}</small>`;
      return html`<div>
        <dt>${title}</dt>
        <dd class="${toneOf(value)}">${figureDoor(value, explain)}${below}</dd>
      </div>`;
    })}
  </dl>`;
}

/** A figure as shown, which leads to its explanation where there is one. */
function figureDoor(value: string, explain: string | undefined): Html {
  const address = linkableAddress(explain);
  return address === undefined ? html`${value}` : html`<a class="figure-link" href="${address}">${value}</a>`;
}

export function card(title: string, content: Html): Html {
  return html`<section class="card">
    <h2>${title}</h2>
    ${content}
  </section>`;
}

/** A card around a table, whose caption is its title. */
export function tableCard(content: Html): Html {
  return html`<section class="card">${content}</section>`;
}

interface PageLink {
  readonly title: string;
  readonly href: string;
  readonly isCurrent?: boolean;
}

function linkHtml({ title, href, isCurrent = false }: PageLink): Html {
  return html`<a href="${linkableAddress(href) ?? '#'}" ${isCurrent ? html` aria-current="page"` : emptyHtml}
    >${title}</a
  >`;
}

export function tabs(label: string, links: readonly PageLink[]): Html {
  return html`<nav class="tabs" aria-label="${label}">${links.map(linkHtml)}</nav>`;
}

export function chips(links: readonly PageLink[]): Html {
  return html`<ul class="chips">
    ${links.map((link) => html`<li>${linkHtml(link)}</li>`)}
  </ul>`;
}
