// Applications and keys: the lists, a new one with its secret shown once, one with what it made that is still in effect, and its deletion.

import { html, type Html } from '../../../../kit/html.ts';
import { dangerConfirmation, confirmationField, isNameTyped } from '../../parts/danger.ts';
import { buttonsRow, postForm, secretOnce } from '../../parts/forms.ts';
import { definitionList, emptyState, note } from '../../parts/notes.ts';
import { card } from '../../parts/parts.ts';
import type { ApiProblem } from '../../page-api.ts';
import { signedInForm, signedInPage, type Page, type PageAnswer, type PageContent } from '../../signed-in-page.ts';
import { listRows } from '../../tables/list-rows.ts';
import type { Table } from '../../tables/table.ts';
import type { WebPath } from '../../web-path.ts';
import { creationBody, creationFields, credentialKinds, keyKind, type CredentialKind } from './credential-kinds.ts';
import {
  callHint,
  clientName,
  developerPage,
  doneNote,
  home,
  momentText,
  readList,
  requireList,
  tableCard,
  withErrors,
  type ReadList,
} from './frame.ts';

const tab = '';

function credentialTable(page: Page, { several, path, nameMember }: CredentialKind, { list, data }: ReadList): Table {
  return {
    id: several,
    caption: several[0]!.toUpperCase() + several.slice(1),
    columns: [
      { key: 'name', title: 'Name', kind: 'text', wide: true },
      { key: 'rights', title: 'May', kind: 'text' },
      { key: 'scope', title: 'Sees', kind: 'text' },
      { key: 'created', title: 'Created', kind: 'date' },
      { key: 'used', title: 'Last token', kind: 'text' },
    ],
    ...listRows(page, {
      list,
      shown: data,
      rowsOf: (one) => ({
        cells: [
          { value: one[nameMember], href: `${home}${path}/${one.id}` },
          { value: one.rights.join(', ') },
          { value: one.scoped_to === null ? 'the whole workspace' : 'one client' },
          { value: one.created_at.slice(0, 10) },
          {
            value: one.last_used_at,
            text: () => (one.last_used_at === null ? 'never' : momentText(page, one.last_used_at)),
          },
        ],
      }),
    }),
  };
}

async function listPage(page: Page): Promise<PageContent> {
  const lists = await Promise.all(credentialKinds.map(({ path }) => readList(page, `/v1${path}`, { limit: '100' })));
  const tables = credentialKinds.map((kind, index) => credentialTable(page, kind, lists[index]!));
  const sections = credentialKinds.map((kind, index) => {
    const table = tables[index]!;
    if (table.rows.length > 0) return tableCard(page, table);
    const action = { title: kind.newTitle, href: `${home}${kind.path}/new` };
    return emptyState({ title: `No ${kind.several} yet`, text: kind.lede, action });
  });
  const buttons = credentialKinds.map(({ newTitle, path }) => ({ title: newTitle, href: `${home}${path}/new` }));
  return developerPage({
    tab,
    title: 'Applications and keys',
    lede: html`Programs that may call the API of this workspace. Deleting one ends its access at once.`,
    main: html`${doneNote(page)}${buttonsRow(buttons)}${sections}`,
    tables,
  });
}

async function newPage(page: Page, kind: CredentialKind, problem?: ApiProblem): Promise<PageContent> {
  await requireList(page, `/v1${kind.path}`);
  const own = withErrors(await creationFields(page, kind), problem);
  return developerPage({
    tab,
    title: kind.newTitle,
    lede: html`${kind.lede}`,
    ...(problem === undefined ? {} : { status: problem.status }),
    main: html`${postForm({
      action: `${home}${kind.path}/new`,
      formToken: page.formToken,
      reader: page.reader,
      ...own,
      buttons: [{ title: 'Create' }, { title: 'Cancel', href: home }],
    })}${callHint(`POST /v1${kind.path}`)}`,
  });
}

async function create(page: Page, kind: CredentialKind): Promise<PageContent> {
  const sent = await page.api.send('POST', `/v1${kind.path}`, creationBody(page, kind));
  if (!sent.ok) return newPage(page, kind, sent.problem);
  const { body } = sent;
  const main = kind === keyKind ? keyMade(body) : applicationMade(page, body);
  const links = buttonsRow([
    { title: 'Done', href: `${home}${kind.path}/${body.id}` },
    { title: kind.newTitle, href: `${home}${kind.path}/new` },
  ]);
  return developerPage({
    tab,
    title: `${body[kind.nameMember]} is ready`,
    main: html`${main}${links}`,
    islands: ['copy'],
  });
}

function applicationMade({ reader }: Page, { client_id: clientId, client_secret: secret }: any): Html {
  const request = `curl -X POST …/oauth/token -d grant_type=client_credentials -d client_id=${clientId} -d client_secret=…`;
  return html`${secretOnce({ id: 'client-secret', label: 'Client secret', secret, reader })}
  ${definitionList([{ title: 'Client id', value: clientId }])}
  ${card(
    'A token',
    html`<p>Exchange both for a token, and send it as a bearer token with each request.</p>
      <pre tabindex="0">${request}</pre>`,
  )}`;
}

function keyMade({ kid, iss, sub }: any): Html {
  return html`${note('The key is registered. Its assertions carry these names:', { tone: 'good' })}${definitionList([
    { title: 'kid', value: kid },
    { title: 'iss', value: iss },
    { title: 'sub', value: sub },
  ])}`;
}

async function showOne(page: Page, kind: CredentialKind): Promise<PageContent> {
  const id = page.params['id'] ?? '';
  const [one, effects] = await Promise.all([
    page.api.get(`/v1${kind.path}/${encodeURIComponent(id)}`),
    readList(page, '/v1/audit-log', { credential_id: id, in_effect: 'true', limit: '100' }),
  ]);
  const facts = [
    { title: kind === keyKind ? 'Key id (kid)' : 'Client id', value: kind === keyKind ? one.id : one.client_id },
    { title: 'May', value: one.rights.join(', ') },
    { title: 'Sees', value: await clientName(page, one.scoped_to) },
    { title: 'Created', value: momentText(page, one.created_at) },
    { title: 'Last token', value: one.last_used_at === null ? 'never' : momentText(page, one.last_used_at) },
  ];
  const table = effectsTable(page, effects);
  return developerPage({
    tab,
    title: one[kind.nameMember],
    main: html`${doneNote(page)}${definitionList(facts)}
    ${buttonsRow([
      { title: 'Its requests', href: `${home}/requests?credential_id=${id}`, kind: 'quiet' },
      { title: 'What it changed', href: `${home}/audit?credential_id=${id}`, kind: 'quiet' },
      { title: 'Delete…', href: `${home}${kind.path}/${id}/delete`, kind: 'danger' },
    ])}
    ${tableCard(page, table)}`,
    tables: [table],
  });
}

function effectsTable(page: Page, { list, data }: ReadList): Table {
  return {
    id: 'in-effect',
    caption: 'Access that it gave and that is still there',
    columns: [
      { key: 'at', title: 'When', kind: 'text' },
      { key: 'what', title: 'What', kind: 'text' },
      { key: 'record', title: 'Record', kind: 'text', wide: true },
    ],
    ...listRows(page, {
      list,
      shown: data,
      rowsOf: (line) => ({
        cells: [
          { value: line.at, text: () => momentText(page, line.at) },
          { value: `${line.subject_type} ${line.act === 'create' ? 'created' : 'changed'}` },
          { value: line.subject_id, href: `${home}/audit?subject_id=${line.subject_id}` },
        ],
      }),
    }),
  };
}

async function deletion(page: Page, kind: CredentialKind): Promise<PageAnswer> {
  const id = page.params['id'] ?? '';
  const path = `/v1${kind.path}/${encodeURIComponent(id)}`;
  const one = await page.api.get(path);
  const name: string = one[kind.nameMember];
  const typed = page.fields.get(confirmationField);
  if (typed !== null && isNameTyped(name, typed)) {
    const sent = await page.api.send('DELETE', path);
    if (sent.ok) return { redirectUrl: `${home}?done=deleted` };
    return developerPage({
      tab,
      title: `Delete ${name}`,
      main: note(sent.problem.detail, { tone: 'danger' }),
      status: sent.problem.status,
    });
  }
  const address = `${home}${kind.path}/${id}`;
  const main = dangerConfirmation({
    name,
    action: `${address}/delete`,
    formToken: page.formToken,
    cancelHref: address,
    reader: page.reader,
    together: [{ title: 'all its tokens, which stop working at once' }],
    ...(typed === null ? {} : { typed }),
  });
  const after = html`<p class="soft">
      People, invites, webhooks and credentials that it made stay; its page lists them.
    </p>
    ${callHint(`DELETE ${path}`)}`;
  return developerPage({
    tab,
    title: `Delete ${name}`,
    main: html`${main}${after}`,
    ...(typed === null ? {} : { status: 422 }),
  });
}

function pathsOf(kind: CredentialKind): readonly WebPath[] {
  const { one, path } = kind;
  const base = { area: 'console' } as const;
  return [
    signedInPage({
      ...base,
      id: `developers-${one}-new`,
      path: `${home}${path}/new`,
      summary: kind.newTitle,
      handle: (page) => newPage(page, kind),
    }),
    signedInForm({
      ...base,
      id: `developers-${one}-create`,
      path: `${home}${path}/new`,
      summary: `Creates the ${one}`,
      showsSecret: true,
      handle: (page) => create(page, kind),
    }),
    signedInPage({
      ...base,
      id: `developers-${one}`,
      path: `${home}${path}/{id}`,
      summary: `One ${one}`,
      handle: (page) => showOne(page, kind),
    }),
    signedInPage({
      ...base,
      id: `developers-${one}-deletion`,
      path: `${home}${path}/{id}/delete`,
      summary: `Asks before deleting the ${one}`,
      handle: (page) => deletion(page, kind),
    }),
    signedInForm({
      ...base,
      id: `developers-${one}-delete`,
      path: `${home}${path}/{id}/delete`,
      summary: `Deletes the ${one}`,
      handle: (page) => deletion(page, kind),
    }),
  ];
}

export const credentialPages: readonly WebPath[] = [
  signedInPage({ id: 'developers', path: home, area: 'console', summary: 'Applications and keys', handle: listPage }),
  ...credentialKinds.flatMap(pathsOf),
];
