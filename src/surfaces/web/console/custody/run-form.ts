// The button that runs the feed of an authority now.

import type { Html } from '../../../../kit/html.ts';
import { postForm, type Button } from '../../parts/forms.ts';
import type { Page } from '../../signed-in-page.ts';
import { custodyPath } from './custody-words.ts';

export function runForm({ formToken, reader }: Page, authority: string, more: readonly Button[] = []): Html {
  return postForm({
    id: 'run-feed',
    action: `${custodyPath}/authorities/${encodeURIComponent(authority)}/run`,
    formToken,
    reader,
    fields: [],
    buttons: [{ title: 'Run now' }, ...more],
  });
}
