// The whole structure of a client in one answer, on v1.

import type { JsonSchema } from '../../../kit/field.ts';
import type { Resource } from '../../../kit/resource.ts';
import { account } from '../../../model/structure/account.ts';
import { client } from '../../../model/structure/client.ts';
import { depository } from '../../../model/structure/depository.ts';
import { legalEntity } from '../../../model/structure/legal-entity.ts';
import { portfolio } from '../../../model/structure/portfolio.ts';
import { reportingEntity } from '../../../model/structure/reporting-entity.ts';
import { getClientTree, type ClientTree } from '../../../actions/structure/client-tree.ts';
import { withRequiredMembers } from '../../http/operation/object-schema.ts';
import { snakeCaseSchema } from '../../snake-case/snake-case-object.ts';
import { defineOperation } from '../../http/operation/operation.ts';
import { pathParameter } from '../../http/operation/path-parameter.ts';
import { renderV1 } from '../resource-paths.ts';
import { v1 } from '../wire.ts';

function renderTree(tree: ClientTree): Record<string, unknown> {
  return {
    ...renderV1(client, tree.client),
    legal_entities: tree.legalEntities.map((one) => ({
      ...renderV1(legalEntity, one.legalEntity),
      accounts: one.accounts.map((each) => renderV1(account, each)),
      depositories: one.depositories.map((each) => renderV1(depository, each)),
    })),
    reporting_entities: tree.reportingEntities.map((one) => ({
      ...renderV1(reportingEntity, one.reportingEntity),
      portfolios: one.portfolios.map((each) => renderV1(portfolio, each)),
    })),
    children: tree.children.map(renderTree),
  };
}

/** The schema of a record that contains lists of other records. */
function withLists(resource: Resource, lists: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const arrays = Object.entries(lists).map(([name, items]) => [name, { type: 'array', items }]);
  return withRequiredMembers(snakeCaseSchema(resource, v1), Object.fromEntries(arrays));
}

const schema = withLists(client, {
  legal_entities: withLists(legalEntity, {
    accounts: snakeCaseSchema(account, v1),
    depositories: snakeCaseSchema(depository, v1),
  }),
  reporting_entities: withLists(reportingEntity, { portfolios: snakeCaseSchema(portfolio, v1) }),
  children: { type: 'object', description: 'The same tree of each child client.' },
});

export const clientTreePath = defineOperation<void>({
  id: 'v1.client.tree',
  wire: v1,
  method: 'GET',
  path: '/v1/clients/{id}/tree',
  summary: 'Read the whole structure of a client',
  description:
    'Load the whole structure of a family with one request, for example to show it as a tree: the legal entities, accounts, depositories, reporting entities and portfolios of the client and of all its descendants, all as of one moment and oldest first.',
  group: client.plural,
  resource: client,
  right: 'read',
  mode: 'read',
  heavy: true,
  query: {},
  responses: { 200: { description: 'The tree.', schema } },
  refusals: ['client-not-found', 'tree-too-large'],
  read: () => undefined,
  handle: async ({ work, params }) => ({
    status: 200,
    body: renderTree(await getClientTree(work, pathParameter(params, 'id'))),
  }),
});
