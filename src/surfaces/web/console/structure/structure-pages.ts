// The pages of what a client has: legal entities, accounts, depositories, reporting entities and portfolios, and the custodians.

import { redirectAddressPaths, redirectAddressSections } from '../custody/redirect-address.ts';
import { resourcePages } from '../resource/resource-pages.ts';

export const structurePages = [
  ...resourcePages({
    type: 'legal-entity',
    lede: 'Who owns the wealth of a client: persons, companies, foundations, trusts. Accounts and depositories belong to one.',
    columns: ['name', 'client_id', 'created_at'],
    filters: ['client_id'],
  }),
  ...resourcePages({
    type: 'account',
    lede: 'Cash in one currency at a custodian, owned by a legal entity.',
    columns: ['name', 'currency', 'external_identifier', 'institution', 'entity_id', 'client_id'],
    filters: ['client_id', 'currency', 'external_identifier', 'custodian_id', 'exclude_from_reporting'],
  }),
  ...resourcePages({
    type: 'depository',
    lede: 'Where securities are kept at a custodian, owned by a legal entity and settled through accounts.',
    columns: ['name', 'external_identifier', 'legal_entity_id', 'client_id'],
    filters: ['client_id', 'external_identifier'],
  }),
  ...resourcePages({
    type: 'reporting-entity',
    lede: 'What a report is about: a part of a client’s wealth that people are given access to.',
    columns: ['name', 'client_id', 'created_at'],
    filters: ['client_id'],
    actions: (_page, { id }) => [{ title: 'See its wealth in the portal', href: `/entities/${id}` }],
  }),
  ...resourcePages({
    type: 'portfolio',
    lede: 'Accounts and depositories of a reporting entity that are looked at together.',
    columns: ['name', 'reporting_entity_id', 'account_ids', 'depository_ids', 'client_id'],
    filters: ['client_id', 'reporting_entity_id'],
  }),
  ...resourcePages({
    type: 'custodian',
    lede: 'The banks and custodians that keep accounts and depositories.',
    columns: ['name', 'created_at'],
    filters: ['name'],
    sections: redirectAddressSections,
  }),
  ...redirectAddressPaths,
];
