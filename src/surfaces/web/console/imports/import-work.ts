// How far the work on imports is: on the page of an import, and on a page of everything that is under way.

import { emptyHtml, html, type Html } from '../../../../kit/html.ts';
import { note, progressBar } from '../../parts/notes.ts';
import { card } from '../../parts/parts.ts';
import type { Sent } from '../../page-api.ts';
import { signedInPage, type Page, type PageAnswer, type PageContent } from '../../signed-in-page.ts';

const listPath = '/console/imports';
export const workPath = `${listPath}/under-way`;

const actTitles: Readonly<Record<string, string>> = {
  check: 'The rows are being checked',
  book: 'The rows are being booked',
  undo: 'The rows are being undone',
};

/** One bar: of reported work, or of work that has not reported yet. */
export function workBar(page: Page, work: any | undefined): Html {
  const count = (value: number): string => page.formats.number(String(value), 0);
  const { import_id: id = 'new', act, done_rows: done = 0, total_rows: total = null } = work ?? {};
  const rows = total === null ? `${count(done)} rows so far` : `${count(done)} of ${count(total)} rows`;
  return progressBar({
    id: `work-${id}`,
    label: actTitles[act] ?? 'The rows are being worked on',
    done,
    total,
    text: work === undefined ? 'It has begun.' : rows,
    reader: page.reader,
  });
}

/** A page that looks again by itself until the work has ended, with scripts and without. */
export function workingPage(page: Page, title: string, bars: Html): PageContent {
  const again = html`<p>You may leave this page: the work goes on. <a href="${page.address}">Look again</a></p>`;
  return {
    title,
    main: card(
      'Working',
      html`<div data-reload-seconds="2">${bars}</div>
        ${again}`,
    ),
    islands: ['reload'],
    refreshSeconds: 3,
  };
}

const uploadKey = ({ access }: Page): string => `upload/${access.personId}`;

/** Checks a file; undefined where the browser should not wait for it any longer. */
export function checkFile(page: Page, work: Promise<Sent>): Promise<Sent | undefined> {
  return page.longWork.wait(page.access, uploadKey(page), work, page.now);
}

async function underWay(page: Page): Promise<PageAnswer> {
  const { data } = await page.api.get('/v1/import-work');
  const problem = page.longWork.takeProblem(page.access, uploadKey(page));
  if (problem !== undefined) {
    const main = html`${note(problem.detail, { tone: 'danger', isLive: true })}
      <p><a href="${listPath}">Back to the imports</a></p>`;
    return { title: 'The file was not imported', main, status: problem.status };
  }
  const isBegun = page.longWork.runningSince(page.access, uploadKey(page)) !== undefined;
  if (data.length === 0 && !isBegun) return { redirectUrl: listPath };
  const bars = data.map(
    (work: any) =>
      html`<p><strong>${work.file_name ?? 'A feed'}</strong></p>
        ${workBar(page, work)}`,
  );
  return workingPage(
    page,
    'Imports under way',
    html`${bars}${data.length === 0 ? workBar(page, undefined) : emptyHtml}`,
  );
}

/** Where something is under way, the way to see how far it is. */
export function workNote({ data }: any): Html {
  if (data.length === 0) return emptyHtml;
  const what = data.length === 1 ? 'One import is' : `${data.length} imports are`;
  return note(html`<p>${what} being worked on. <a href="${workPath}">See how far</a></p>`);
}

export const importWorkPaths = [
  signedInPage({
    id: 'imports.under-way',
    path: workPath,
    summary: 'Imports that are being checked, booked or undone',
    area: 'console',
    handle: underWay,
  }),
];
