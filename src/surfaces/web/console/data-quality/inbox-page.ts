// Data quality as an inbox: the findings of the workspace, a client or a reporting entity by the money that each could move, each with the
// way to the page that mends it.

import { emptyHtml, html, type Html } from '../../../../kit/html.ts';
import { findingCodes } from '../../../../model/report/finding.ts';
import { withParameters } from '../../parts/address.ts';
import type { Field } from '../../parts/field.ts';
import { filterForm } from '../../parts/forms.ts';
import { emptyState, note, stateDot, sentenceHtml } from '../../parts/notes.ts';
import { figuresList } from '../../parts/parts.ts';
import { signedInPage, type Page, type PageContent } from '../../signed-in-page.ts';
import { pagerHtml } from '../../tables/table-html.ts';
import { listRows, type WholeList } from '../../tables/list-rows.ts';
import { rowsInTurns } from '../../tables/rows-in-turns.ts';
import type { Table } from '../../tables/table.ts';
import { readSeenClients } from '../seen-records.ts';
import {
  chosenCodes,
  entitiesMax,
  mergedMax,
  readOne,
  readSeveral,
  findingsOf,
  type InboxEntity,
  type Inbox,
  type InboxFinding,
} from './inbox-findings.ts';
import { readNames } from './inbox-names.ts';
import {
  findingRow,
  findingsTable,
  severities,
  severityOf,
  titles,
  type Chosen,
  type InboxView,
} from './inbox-table.ts';
import { readRemedyRecords, remediesOf } from './remedies.ts';

const path = '/console/data-quality';
async function showInbox(page: Page): Promise<PageContent> {
  const chosen = await readChosen(page);
  const shown = chosen.entities.filter(({ id }) => chosen.entity === '' || id === chosen.entity);
  const [only, other] = shown;
  const codes = chosenCodes(chosen.severity, chosen.code);
  const query = { entities: shown.slice(0, entitiesMax), codes, currency: chosen.currency };
  const isOne = only !== undefined && other === undefined;
  const inbox =
    codes.length === 0 ? noFindings : isOne ? await readOne(page, query, only) : await readSeveral(page, query, 'page');
  const view = await readView(page, chosen, inbox.findings);
  const rows: Pick<Table, 'rows' | 'fileRows'> =
    codes.length === 0
      ? { rows: [] }
      : isOne
        ? rowsOfOne(page, { list: findingsOf(query, only), entity: only, shown: inbox.findings, view })
        : {
            rows: inbox.findings.map((found) => findingRow(page, found, view)),
            async *fileRows() {
              const { findings } = await readSeveral(page, query, 'all');
              const all = await readView(page, chosen, findings, view);
              yield* rowsInTurns(() => findings.values().map((found) => findingRow(page, found, all)))();
            },
          };
  const table = findingsTable(rows, chosen);
  return {
    title: 'Data quality',
    lede: html`What to mend before relying on the figures: what could move the most money comes first. A finding
    disappears once it is mended.`,
    main: html`${countsHtml(page, inbox)}${inboxFilter(page, chosen)}${boundsNotes(chosen, inbox, shown.length)}
    ${inbox.findings.length === 0 ? nothing(chosen) : listHtml(page, inbox, { view, table })}`,
    tables: [table],
  };
}

/** What the words of these findings need; names that are known already are not read again. */
async function readView(
  page: Page,
  chosen: Chosen,
  findings: readonly InboxFinding[],
  known?: InboxView,
): Promise<InboxView> {
  const [names, records] = await Promise.all([
    readNames(page, findings, known?.names),
    readRemedyRecords(page, findings),
  ]);
  return { chosen, names, records: { ...records, instrumentTypes: names.types } };
}

interface OneEntity {
  readonly list: WholeList;
  readonly entity: InboxEntity;
  readonly shown: readonly InboxFinding[];
  readonly view: InboxView;
}

/** The rows of one entity's findings: a file reads them part by part, each with its names. */
function rowsOfOne(page: Page, { list, entity, shown, view }: OneEntity): Pick<Table, 'rows' | 'fileRows'> {
  let read = view;
  return listRows(page, {
    list,
    shown: shown.map(({ finding }) => finding),
    async prepare(findings) {
      read = await readView(
        page,
        view.chosen,
        findings.map((finding) => ({ entity, finding })),
        read,
      );
    },
    rowsOf: (finding) => findingRow(page, { entity, finding }, read),
  });
}

const noFindings: Inbox = { findings: [], counts: {}, next: null, isCut: false };

async function readChosen(page: Page): Promise<Chosen> {
  const value = (name: string): string => page.query.get(name) ?? '';
  const client = value('client_id');
  const entities = await page.api.list('/v1/reporting-entities', client === '' ? {} : { client_id: client }, 500);
  const clients = await readSeenClients(page, entities.data);
  const own = clients.filter(({ id }) => client === '' || id === client);
  const byCurrency = Map.groupBy(own, ({ currency }) => currency);
  const currencies = [...byCurrency].toSorted(([, one], [, other]) => other.length - one.length).map(([code]) => code);
  const wanted = value('currency');
  return {
    clients,
    entities: entities.data,
    client,
    entity: value('reporting_entity_id'),
    severity: value('severity') in severities ? value('severity') : '',
    code: findingCodes.find((one) => one === value('code')) ?? '',
    currency: currencies.includes(wanted) ? wanted : (currencies[0] ?? 'CHF'),
    currencies,
  };
}

function countsHtml({ formats }: Page, { counts }: Inbox): Html {
  const figures = Object.entries(severities).map(([severity, { title }]) => ({
    title,
    value: formats.number(String(counts[severity] ?? 0), 0),
  }));
  return figuresList(figures);
}

function inboxFilter(page: Page, chosen: Chosen): Html {
  const all = { value: '', title: 'All' };
  const { clients, entities, currencies } = chosen;
  const byName = (records: readonly any[]) =>
    records
      .map(({ id, name }) => ({ value: String(id), title: String(name) }))
      .toSorted((a, b) => a.title.localeCompare(b.title, page.reader.locale));
  const fields: Field[] = [
    ...(clients.every(({ name }) => name === null)
      ? []
      : [
          {
            kind: 'select',
            name: 'client_id',
            label: 'Client',
            options: [all, ...byName(clients)],
            value: chosen.client,
          } as const,
        ]),
    {
      kind: 'select',
      name: 'reporting_entity_id',
      label: 'Reporting entity',
      options: [all, ...byName(entities)],
      value: chosen.entity,
    },
    {
      kind: 'select',
      name: 'severity',
      label: 'Weight',
      options: [all, ...Object.entries(severities).map(([value, { title }]) => ({ value, title }))],
      value: chosen.severity,
    },
    {
      kind: 'select',
      name: 'code',
      label: 'Finding',
      options: [all, ...findingCodes.map((value) => ({ value, title: titles[value] ?? value }))],
      value: chosen.code,
    },
  ];
  if (currencies.length > 1) {
    const options = currencies.map((value) => ({ value, title: value }));
    fields.push({ kind: 'select', name: 'currency', label: 'Compared in', options, value: chosen.currency });
  }
  const isFiltered = [chosen.client, chosen.entity, chosen.severity, chosen.code].some((value) => value !== '');
  return filterForm({ path, reader: page.reader, fields, isFiltered });
}

function boundsNotes({ entity }: Chosen, { isCut }: Inbox, entities: number): Html {
  const many =
    entity === '' && entities > entitiesMax
      ? note(`Only the first ${entitiesMax} of ${entities} reporting entities are looked at. Choose a client.`, {
          tone: 'warn',
        })
      : emptyHtml;
  const cut = isCut
    ? note(`Only the first ${mergedMax} findings are listed. Choose a client or a finding.`)
    : emptyHtml;
  return html`${many}${cut}`;
}

function nothing({ entities, severity, code }: Chosen): Html {
  if (entities.length === 0) {
    const text = 'Findings are about the figures of reporting entities: create one for a client first.';
    return emptyState({
      title: 'No reporting entities yet',
      text,
      action: { title: 'Clients', href: '/console/clients' },
    });
  }
  const isNarrowed = severity !== '' || code !== '';
  return emptyState({
    title: isNarrowed ? 'No such findings' : 'Nothing to mend',
    text: isNarrowed ? 'Choose another weight or finding.' : 'No finding on the data behind today’s figures.',
  });
}

function listHtml(page: Page, { findings, next }: Inbox, { view, table }: { view: InboxView; table: Table }): Html {
  const href = (format: string): string => withParameters(page.address, { cursor: null, table: table.id, format });
  const { reader, address, query } = page;
  return html`<section class="card">
    <h2>By what each could move, in ${view.chosen.currency}</h2>
    <ol class="inbox">
      ${findings.map((found) => itemHtml(page, found, view))}
    </ol>
    <p class="files"><a href="${href('csv')}">CSV</a> <a href="${href('xlsx')}">XLSX</a></p>
    ${pagerHtml({ reader, address, cursor: query.get('cursor') ?? undefined, nextCursor: next })}
  </section>`;
}

function itemHtml(page: Page, found: InboxFinding, view: InboxView): Html {
  const { finding } = found;
  const { title, tone } = severityOf(finding);
  const remedies = remediesOf(page, found, view.records);
  return html`<li>
    <p class="inbox-effect">${effectText(page, finding, view.chosen.currency)}</p>
    <div>
      <h3>${titles[finding.code] ?? finding.code}${aboutText(finding, view)}</h3>
      <p class="soft">${placeText(page, found, view)}</p>
      ${comparedHtml(page, finding)}
      <p>${stateDot(title, tone)}</p>
      <p>${sentenceHtml(finding.remedy)}</p>
      <ul class="remedies">
        ${remedies.map(({ title: way, href }) => html`<li><a href="${href}">${way}</a></li>`)}
      </ul>
      <details>
        <summary>What it means</summary>
        <p>${sentenceHtml(finding.detail)}</p>
        <p><a href="/entities/${found.entity.id}/data-quality?code=${finding.code}">In the portal</a></p>
      </details>
    </div>
  </li>`;
}

/** Both figures of interest that the terms contradict. */
function comparedHtml({ formats }: Page, { accrued_interest: compared, quantity, currency }: any): Html {
  if (compared === null) return emptyHtml;
  return html`<p>
    ${formats.money(compared.stated, currency)} ${currency} for ${formats.quantity(quantity)} nominal; the terms give
    ${formats.money(compared.expected, currency)} ${currency} to ${formats.dateLong(compared.accrued_to)} by
    ${compared.day_count}
  </p>`;
}

function effectText({ formats }: Page, { effect, severity }: any, currency: string): string {
  if (effect !== null) return formats.money(effect, currency);
  return severity === 'error' ? 'All figures' : 'Not known';
}

function aboutText({ instrument_id: instrument, currency, to_currency: quote }: any, { names }: InboxView): string {
  if (quote !== null) return `: ${currency} to ${quote}`;
  return instrument === null ? '' : `: ${names.nameOf(instrument)}`;
}

function placeText(
  { formats }: Page,
  { entity, finding, others = 0 }: InboxFinding,
  { chosen, names }: InboxView,
): string {
  const client = chosen.clients.find(({ id }) => id === entity.client_id);
  const parts = [
    names.nameOf(finding.account_id ?? finding.depository_id),
    others === 0 ? entity.name : `${entity.name} and ${others} more`,
    client?.name ?? null,
    finding.date === null ? null : formats.dateLong(finding.date),
  ];
  return parts.filter((part) => part !== null).join(' · ');
}

export const inboxPages = [
  signedInPage({
    id: 'console-data-quality',
    path,
    summary: 'Findings by what each could move, with their remedies',
    area: 'console',
    handle: showInbox,
  }),
];
