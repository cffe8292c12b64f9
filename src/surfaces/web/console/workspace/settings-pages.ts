// The settings of the workspace as far as the API shows them, and its calculation rounds.

import { html, type Html } from '../../../../kit/html.ts';
import { card } from '../../parts/parts.ts';
import { definitionList } from '../../parts/notes.ts';
import { signedInPage, type Page } from '../../signed-in-page.ts';
import { resourcePages } from '../resource/resource-pages.ts';
import { valueTitle } from '../resource/words.ts';

function workspaceFacts(me: any, { timeZone, reader }: Page): Html {
  return definitionList([
    { title: 'Environment', value: valueTitle(me.environment) },
    { title: 'Workspace', value: me.workspace_id },
    { title: 'Time zone of the workspace', value: timeZone },
    { title: 'Your rights', value: me.rights.map(valueTitle).join(', ') },
    { title: 'Your requests are counted as', value: me.user?.name ?? me.sub },
    { title: 'Language and formats of this browser', value: reader.locale },
  ]);
}

function roundsCard(rounds: readonly any[], page: Page): Html {
  const last = rounds[0];
  const said =
    last === undefined
      ? html`<p>No round has run yet: the first follows the first booking.</p>`
      : html`<p>The last round began ${page.formats.datetime(last.started_at)}: ${valueTitle(last.state)}.</p>`;
  return html`${said}
    <p><a href="/console/rounds">All calculation rounds</a></p>`;
}

const settingsPage = signedInPage({
  id: 'console-settings',
  path: '/console/settings',
  summary: 'Settings of the workspace',
  area: 'console',
  async handle(page) {
    page.api.require('GET', '/v1/diagnostics');
    const [me, rounds, diagnostics] = await Promise.all([
      page.api.get('/v1/me'),
      page.api.get('/v1/calculation-rounds', { limit: '1' }),
      page.api.get('/v1/diagnostics'),
    ]);
    const webhooks = diagnostics.webhooks.length;
    const main = html`${card('Workspace', workspaceFacts(me, page))}
    ${card('Administrators', html`<p><a href="/console/administrators">Administrators of the workspace</a> have all clients and all rights here.</p>`)}
    ${card('Calculation rounds', roundsCard(rounds.data, page))}
    ${card(
      'Webhooks',
      webhooks === 0
        ? html`<p>All webhooks receive what they should.</p>`
        : html`<p><a href="/console/developers">${webhooks} of the webhooks need attention</a>.</p>`,
    )}
    ${card(
      'Set by the operator',
      html`<p>
        Identity providers, mail and the custodians’ connectors are settings of the installation. The operator also sets
        the request budget, quotas and for how long data is kept:
        <a href="/console/developers/usage">Usage</a> shows them.
      </p>`,
    )} `;
    return { title: 'Settings', main };
  },
});

export const settingsPages = [
  settingsPage,
  ...resourcePages(
    {
      type: 'calculation-round',
      lede: 'A round computes what changed since the one before: limits, reconciliation and the events about them.',
      columns: ['id', 'state', 'started_at', 'finished_at', 'duration_ms', 'attempts', 'client_id'],
      filters: ['state', 'client_id'],
    },
    { without: ['creation', 'change', 'deletion'] },
  ),
];
