// The pages of people: who belongs to which client, with roles, grants, invites and access.

import { html } from '../../../../kit/html.ts';
import { writeJson } from '../../../../kit/json.ts';
import { confirmationField, dangerConfirmation, isNameTyped } from '../../parts/danger.ts';
import { note } from '../../parts/notes.ts';
import type { ApiProblem } from '../../page-api.ts';
import { signedInForm, signedInPage, type Page, type PageAnswer } from '../../signed-in-page.ts';
import { creationBody, sentValues } from '../resource/form-body.ts';
import { nameOf } from '../resource/record-kinds.ts';
import type { ApiRecord } from '../resource/record-view.ts';
import { placeFaults } from '../resource/resource-form.ts';
import { resourcePages } from '../resource/resource-pages.ts';
import { inviteFields, personSections } from './person-sections.ts';

const area = 'console';

function apiPath(page: Page, rest = ''): string {
  return `/v1/users/${encodeURIComponent(page.params['id'] ?? '')}${rest}`;
}

function pagePath(page: Page, rest = ''): string {
  return `/console/people/${encodeURIComponent(page.params['id'] ?? '')}${rest}`;
}

/** A button that makes one call, and shows the person again. */
function callForm(verb: 'disable' | 'enable') {
  return signedInForm({
    id: `person-${verb}`,
    path: `/console/people/{id}/${verb}`,
    summary: `${verb} a person`,
    area,
    async handle(page) {
      const sent = await page.api.send('POST', apiPath(page, `/${verb}`));
      return sent.ok ? { redirectUrl: pagePath(page, '?done=changed') } : refusedPage(page, sent.problem);
    },
  });
}

/** Says why a button could not do what it says. */
function refusedPage(page: Page, { status, detail }: ApiProblem): PageAnswer {
  const main = html`${note(detail, { tone: 'danger', isLive: true })}
    <p><a href="${pagePath(page)}">Back to the person</a></p>`;
  return { title: 'That was not possible', main, status };
}

const sendInvite = signedInForm({
  id: 'person-invite',
  path: '/console/people/{id}/invite',
  summary: 'Send an invite',
  area,
  async handle(page) {
    const fields = inviteFields(page);
    const values = sentValues(fields, page.fields);
    const { body } = creationBody(fields, values);
    const sent = await page.api.send('POST', '/v1/invites', { user_id: page.params['id'], ...body });
    if (sent.ok) return { redirectUrl: pagePath(page, '?done=invited') };
    const person = await page.api.get(apiPath(page));
    const { main } = await personSections(page, person, { values, faults: placeFaults(sent.problem, fields) });
    return { title: nameOf(person), main, status: 422 };
  },
});

const cancelInvite = signedInForm({
  id: 'person-invite-cancel',
  path: '/console/people/{id}/invites/{invite}/cancel',
  summary: 'Cancel an invite',
  area,
  async handle(page) {
    const path = `/v1/invites/${encodeURIComponent(page.params['invite'] ?? '')}/cancellation`;
    const sent = await page.api.send('POST', path);
    return sent.ok ? { redirectUrl: pagePath(page, '?done=cancelled') } : refusedPage(page, sent.problem);
  },
});

const exportPage = signedInPage({
  id: 'person-export',
  path: '/console/people/{id}/export',
  summary: 'Everything that is stored about a person',
  area,
  async handle(page) {
    const data = await page.api.get(apiPath(page, '/export'));
    return { file: [Buffer.from(writeJson(data))], mediaType: 'application/json', name: 'personal-data.json' };
  },
});

function erasurePage(page: Page, person: ApiRecord, typed?: string): PageAnswer {
  const main = html`${note(
    'Erasing removes the person from every client. The audit log keeps that something was done, and no longer by whom it can be read. Figures do not change.',
    { tone: 'warn' },
  )}${dangerConfirmation({
    name: nameOf(person),
    action: pagePath(page, '/erase'),
    formToken: page.formToken,
    cancelHref: pagePath(page),
    reader: page.reader,
    heading: `Erase ${nameOf(person)}`,
    togetherTitle: 'This is erased with it:',
    together: ['Memberships, grants and invites', 'Identities and sessions', 'Mail'].map((title) => ({ title })),
    typed,
    buttonTitle: 'Erase',
  })}`;
  return { title: `Erase ${nameOf(person)}`, main, ...(typed === undefined ? {} : { status: 422 }) };
}

const erasurePages = [
  signedInPage({
    id: 'person-erase',
    path: '/console/people/{id}/erase',
    summary: 'Ask before erasing a person',
    area,
    async handle(page) {
      page.api.require('POST', '/v1/users/{id}/erasure');
      const person = await page.api.get(apiPath(page));
      page.api.announce({ method: 'POST', url: apiPath(page, '/erasure') });
      return erasurePage(page, person);
    },
  }),
  signedInForm({
    id: 'person-erase-send',
    path: '/console/people/{id}/erase',
    summary: 'Erase a person',
    area,
    async handle(page) {
      const person = await page.api.get(apiPath(page));
      const typed = page.fields.get(confirmationField) ?? '';
      if (!isNameTyped(nameOf(person), typed)) return erasurePage(page, person, typed);
      const sent = await page.api.send('POST', apiPath(page, '/erasure'));
      return sent.ok ? { redirectUrl: '/console/people?done=deleted' } : refusedPage(page, sent.problem);
    },
  }),
];

export const peoplePages = [
  callForm('disable'),
  callForm('enable'),
  sendInvite,
  cancelInvite,
  exportPage,
  ...erasurePages,
  ...resourcePages({
    type: 'user',
    lede: 'Who may sign in: their clients, their roles there, and which reporting entities they may read.',
    columns: ['name', 'email', 'role', 'status', 'client_id', 'created_at'],
    filters: ['client_id', 'status', 'email'],
    notAsFacts: ['memberships', 'first_name', 'last_name', 'client_id'],
    spansClients: true,
    changeNote:
      'A role applies at every client of theirs that you see. Without a reporting entity they can sign in and see nothing.',
    deletedTogether: ['Their memberships and grants at the clients that you see', 'Invites that are still open'],
    sections: personSections,
  }),
  ...resourcePages(
    {
      type: 'administrator',
      lede: 'People with all clients and all rights of this environment. A new one gets a mail with a link.',
      columns: ['email', 'first_name', 'last_name', 'status', 'created_at'],
    },
    { without: ['change'] },
  ),
];
