// Making a family, letting days pass and deleting one take seconds: the form answers, and the page shows that the work goes on.
// Each is one transaction of one to three seconds: there are no rows to count before its end.

import { html } from '../../../../kit/html.ts';
import { note, progressBar } from '../../parts/notes.ts';
import { card } from '../../parts/parts.ts';
import type { Sent } from '../../page-api.ts';
import type { Page, PageAnswer, PageContent } from '../../signed-in-page.ts';
import { sandboxTexts as text } from './sandbox-texts.ts';

export const sandboxPath = '/console/sandbox';

/** One at a time for each person: who sends a form again sees how far the first is. */
const workKey = ({ access }: Page): string => `sandbox/${access.personId}`;

/** The page of what is under way, or of why it failed; undefined where there is neither. */
export function workPage(page: Page): PageContent | undefined {
  const { longWork, access, now, reader, formats } = page;
  const began = longWork.runningSince(access, workKey(page));
  if (began !== undefined) {
    const seconds = formats.number(String(Math.max(Math.round((now - began) / 1_000), 0)), 0);
    const bar = progressBar({
      id: 'sandbox',
      label: text.working,
      done: 0,
      total: null,
      text: text.workingText(seconds),
      reader,
    });
    const main = card(
      text.working,
      html`<div data-reload-seconds="2">${bar}</div>
        <p>${text.workingStays}</p>`,
    );
    return { title: text.title, main, islands: ['reload'], refreshSeconds: 3 };
  }
  const problem = longWork.takeProblem(access, workKey(page));
  if (problem === undefined) return undefined;
  const main = html`${note(problem.detail, { tone: 'danger', isLive: true })}
    <p><a href="${sandboxPath}">${text.all}</a></p>`;
  return { title: text.failed, main, status: problem.status };
}

/** Does it unless something is under way already, and waits a moment for the end. */
export async function perform(
  page: Page,
  begin: () => Promise<Sent>,
  { done, refused }: { readonly done: string; refused(problem: Sent & { readonly ok: false }): Promise<PageAnswer> },
): Promise<PageAnswer> {
  const isBusy = page.longWork.runningSince(page.access, workKey(page)) !== undefined;
  const sent = isBusy ? undefined : await page.longWork.wait(page.access, workKey(page), begin(), page.now);
  if (sent === undefined) return { redirectUrl: sandboxPath };
  return sent.ok ? { redirectUrl: `${sandboxPath}?done=${done}` } : refused(sent);
}
