// The first page after signing in: the person's reporting entities, each with its value and its return of the year so far.

import type { OverviewFigures, OverviewRow } from '../../../actions/people/person-overview.ts';
import { fromDayNumber } from '../../../kit/calendar-date.ts';
import { fixedText } from '../../../kit/fixed.ts';
import { html, type Html } from '../../../kit/html.ts';
import { menuFor } from '../menu.ts';
import { sessionFormToken, type WebPath } from '../web-path.ts';

const amount = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const percentage = new Intl.NumberFormat('en', {
  style: 'percent',
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  signDisplay: 'exceptZero',
});

function figureCells({ value, currency, twr, day }: OverviewFigures): Html {
  const date = fromDayNumber(day);
  return html`<td class="figure">${amount.format(fixedText(value) as Intl.StringNumericLiteral)}</td>
    <td>${currency}</td>
    <td class="figure">${twr === null ? '–' : percentage.format(twr)}</td>
    <td><time datetime="${date}">${date}</time></td>`;
}

function rowHtml({ name, clientName, figures }: OverviewRow): Html {
  const cells =
    'missing' in figures ? html`<td colspan="4" class="soft">${figures.missing}</td>` : figureCells(figures);
  return html`<tr>
    <th scope="row">${name}</th>
    <td>${clientName}</td>
    ${cells}
  </tr>`;
}

function tableHtml(rows: readonly OverviewRow[]): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-labelledby="overview">
    <table>
      <caption id="overview">
        Everything you have access to. Returns are year to date, time-weighted and net of fees.
      </caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Client</th>
          <th scope="col" class="figure">Value</th>
          <th scope="col">Currency</th>
          <th scope="col" class="figure">Return</th>
          <th scope="col">As of</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(rowHtml)}
      </tbody>
    </table>
  </div>`;
}

const emptyMessage = html`<p>
  You do not have access to any reports yet. Ask the person who invited you to give you access.
</p>`;

const showOverview: WebPath = {
  id: 'overview',
  method: 'GET',
  path: '/',
  summary: 'The reporting entities of the signed-in person',
  async handle(pageRequest) {
    const session = await pageRequest.session();
    if (session === undefined) return { redirectUrl: '/sign-in' };
    const { access } = session;
    const rows = await pageRequest.readOverview(access);
    const { reader } = pageRequest;
    const menu = menuFor(access, { reader, area: 'portal', address: '/' });
    const { name, environment } = access;
    const signedIn = { name, environment, menu, formToken: sessionFormToken(pageRequest) };
    const main = rows.length === 0 ? emptyMessage : tableHtml(rows);
    return { page: { title: 'Your wealth', main, signedIn, width: 'wide', reader } };
  },
};

export const overviewPaths = [showOverview];
