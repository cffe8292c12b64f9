// The pages of clients: the tree, one client with what hangs on it, creating, changing, moving and deleting.

import { resourcePages } from '../resource/resource-pages.ts';
import { clientSections, settingNames } from './client-sections.ts';
import { clientTreePage } from './client-tree.ts';
import { moveClientPages } from './move-client.ts';

export const clientPages = [
  clientTreePage,
  ...moveClientPages,
  ...resourcePages(
    {
      type: 'client',
      lede: '',
      columns: ['name'],
      notAsFacts: settingNames,
      notInChanges: ['parent_id'],
      changeNote:
        'A change of the settings changes the figures of all its reports from now on; reports as known before stay.',
      deletedTogether: ['Memberships of its people, and their invites'],
      sections: clientSections,
      actions: (page, { id, parent_id: parent }) => [
        ...(page.api.may('PATCH', '/v1/clients/{id}') ? [{ title: 'Move', href: `/console/clients/${id}/move` }] : []),
        ...(parent === null ? [] : [{ title: 'Parent', href: `/console/clients/${parent}` }]),
      ],
    },
    { without: ['list'] },
  ),
];
