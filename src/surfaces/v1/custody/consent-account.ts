// The accounts of a consent on v1: listed, and created or linked.

import { anyText, boolean, instant, nullable } from '../../../kit/field.ts';
import { listOf, member, objectOf } from '../../../kit/structured-field.ts';
import type { ChangeOf } from '../../../kit/resource.ts';
import { authority } from '../../../model/custody/authority.ts';
import {
  bookedRowsShape,
  connectedAccountShape,
  consentAccountShape,
  placeKey,
  type ConsentAccount,
} from '../../../model/custody/consent-account.ts';
import { accountConnections, connectionsMax } from '../../../model/custody/custody-requests.ts';
import {
  connectAccounts,
  connectionRefusals,
  type ConnectedAccount,
} from '../../../actions/custody/connect-accounts.ts';
import { listConsentAccounts } from '../../../actions/custody/consent-accounts.ts';
import { listFromCursor, pageMembers, pageValues } from '../../http/lists/cursor-page.ts';
import { defineOperation } from '../../http/operation/operation.ts';
import { pathParameter } from '../../http/operation/path-parameter.ts';
import { readSnakeCase } from '../../snake-case/snake-case-object.ts';
import { pageParameters, pageSizeOf } from '../page.ts';
import { v1Style } from '../reports/report-query.ts';
import { v1 } from '../wire.ts';
import { bodyOf, pointIntoBody } from './admin-operation.ts';

const base = { wire: v1, group: authority.plural, path: '/v1/authorities/{id}/accounts' } as const;

const accountList = objectOf({
  ...pageMembers(consentAccountShape),
  authorityId: member(anyText, 'The authority whose consent it is.'),
  listedAt: member(
    nullable(instant),
    'When the custodian listed them last; null if it never has. The list then comes from the rows that wait.',
  ),
});

/** No place comes twice, and each key sorts as its place does. */
const positionOf = (place: ConsentAccount): string => placeKey(place as Parameters<typeof placeKey>[0]);

const listPath = defineOperation<void>({
  ...base,
  id: 'v1.authority.accounts',
  resource: authority,
  method: 'GET',
  summary: 'List the accounts of a consent',
  description:
    'See after a consent which accounts and depositories it is for, which of them the client has, and how many rows wait for each. Custodians that list accounts are asked when consent is given and after each run of the feed. Of others, such as those that drop files, the list has the numbers that rows wait for.',
  right: 'read',
  mode: 'read',
  query: pageParameters,
  responses: { 200: { description: 'A page, in the order of the numbers.', schema: accountList.schema(v1Style) } },
  refusals: ['authority-not-found', 'cursor-invalid', 'cursor-expired'],
  read: () => undefined,
  async handle(request) {
    const { work, params } = request;
    const id = pathParameter(params, 'id');
    const limit = pageSizeOf(request);
    const { authorityId, accounts, listedAt } = await listConsentAccounts(work, id);
    const page = await listFromCursor(request, {
      queryKey: ['consent-accounts', id],
      async list(after) {
        const rest = after === undefined ? accounts : accounts.filter((one) => positionOf(one) > after);
        return { records: rest.slice(0, limit), hasMore: rest.length > limit };
      },
      positionOf,
    });
    return { status: 200, body: accountList.write({ ...pageValues(page), authorityId, listedAt }, v1Style) };
  },
});

const connected = objectOf({
  data: member(listOf(connectedAccountShape), 'What became of each.'),
  hasMore: member(boolean, 'Whether `all` has left more to connect: send it again.'),
  rows: member(bookedRowsShape, 'What became of the rows that waited.'),
});

function connectedView({ place, outcome, id, detail }: ConnectedAccount) {
  const { number, currency, kind } = place;
  const [accountId, depositoryId] = kind === 'cash' ? [id, null] : [null, id];
  return { number, currency, kind, outcome, accountId, depositoryId, detail };
}

const connectPath = defineOperation<ChangeOf<typeof accountConnections>>({
  ...base,
  id: 'v1.authority.connect-accounts',
  method: 'POST',
  summary: 'Create and link the accounts of a consent',
  description: `The step after a consent: creates the accounts and depositories that the client does not have, links them and those that it has to the authority, and books the rows that waited for them. With \`all\`, everything that needs no decision, up to ${connectionsMax} at a time: while \`has_more\` is true, send it again. New accounts belong to the legal entity of the authority and are kept by its custodian; new depositories are linked to the accounts of the authority. Few rows are booked in the same transaction, many in the background. Every account that is linked is reported by the event \`account.connected\`.`,
  right: 'write',
  mode: 'write',
  heavy: true,
  query: {},
  body: bodyOf(accountConnections),
  responses: { 200: { description: 'What was done.', schema: connected.schema(v1Style) } },
  refusals: [...connectionRefusals],
  read: ({ body }) => readSnakeCase(accountConnections, body, { wire: v1, purpose: 'create' }),
  async handle({ work, params }, input) {
    const done = await connectAccounts(work, pathParameter(params, 'id'), input).catch((error: unknown) => {
      throw pointIntoBody(accountConnections, error);
    });
    const { accounts, hasMore, rows } = done;
    return { status: 200, body: connected.write({ data: accounts.map(connectedView), hasMore, rows }, v1Style) };
  },
});

export const consentAccountPaths = [listPath, connectPath];
