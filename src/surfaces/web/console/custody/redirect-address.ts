// The redirect addresses on the page of a custodian, for administrators: what to register with the custodian, and which of them consent
// comes back to.

import { emptyHtml, html, type Html } from '../../../../kit/html.ts';
import { postForm } from '../../parts/forms.ts';
import { definitionList, note } from '../../parts/notes.ts';
import { card } from '../../parts/parts.ts';
import { RefusedCall } from '../../page-api.ts';
import { signedInForm, type Page } from '../../signed-in-page.ts';
import type { RecordSections } from '../resource/resource-definition.ts';
import type { ApiRecord } from '../resource/record-view.ts';

const settingsPath = '/v1/admin/custodians/{id}';
const pagePath = '/console/custodians/{id}';

const at = (path: string, id: string): string => path.replace('{id}', encodeURIComponent(id));

const choices = {
  own: {
    title: 'Use its own address',
    text: 'Register its own address with the custodian first. Until it is registered, nobody can give consent on the custodian’s pages.',
    usesOwnCallback: true,
  },
  shared: {
    title: 'Use the shared address again',
    text: 'If the custodian does not accept its own address yet.',
    usesOwnCallback: false,
  },
} as const;

export async function redirectAddressSections(page: Page, { id }: ApiRecord): Promise<RecordSections> {
  if (!page.api.may('GET', settingsPath)) return { main: emptyHtml };
  const settings = await page.api.find(at(settingsPath, id));
  if (settings === undefined) return { main: emptyHtml };
  const { callback_url: own, shared_callback_url: shared, uses_own_callback: usesOwn } = settings;
  const facts = definitionList([
    { title: 'Its own address', value: html`<code>${own}</code>` },
    ...(shared === null ? [] : [{ title: 'Shared address', value: html`<code>${shared}</code>` }]),
    { title: 'In use', value: usesOwn ? 'Its own address' : 'Shared address' },
  ]);
  const purpose = html`<p>
    The custodian sends people back to this address after they gave consent. Register it with the custodian as the
    redirect URI.
  </p>`;
  return {
    main: card('Redirect address', html`${purpose}${facts}${shared === null ? emptyHtml : move(page, settings)}`),
  };
}

function move(page: Page, { id, uses_own_callback: usesOwn }: any): Html {
  const advice = usesOwn
    ? note('Ask the custodian to remove the shared address.')
    : note('Several custodians share this address. One of them could receive consent that was given to another.', {
        tone: 'warn',
      });
  if (!page.api.may('PATCH', settingsPath)) return advice;
  const choice = usesOwn ? 'shared' : 'own';
  const { title, text } = choices[choice];
  const form = postForm({
    id: 'redirect-address',
    action: `${at(pagePath, id)}/use-${choice}-address`,
    formToken: page.formToken,
    reader: page.reader,
    fields: [],
    buttons: [{ title, ...(usesOwn ? {} : { kind: 'primary' }) }],
  });
  return html`${advice}
    <p>${text}</p>
    ${form}`;
}

export const redirectAddressPaths = Object.entries(choices).map(([choice, { title, usesOwnCallback }]) =>
  signedInForm({
    id: `custodian.${choice}-address`,
    path: `${pagePath}/use-${choice}-address`,
    summary: `${title}: the redirect address of a custodian`,
    area: 'console',
    async handle(page) {
      const id = page.params['id'] ?? '';
      const sent = await page.api.send('PATCH', at(settingsPath, id), { uses_own_callback: usesOwnCallback });
      if (!sent.ok) throw new RefusedCall(sent.problem);
      return { redirectUrl: `${at(pagePath, id)}?done=changed` };
    },
  }),
);
