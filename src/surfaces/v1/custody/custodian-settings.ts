// The settings of custodians on v1, for workspace administration. The client secret is written and never shown.

import type { ChangeOf } from '../../../kit/resource.ts';
import { writeJson } from '../../../kit/json.ts';
import { custodianSettingsChange } from '../../../model/custody/custody-requests.ts';
import { custodian, custodianSettings } from '../../../model/structure/custodian.ts';
import {
  changeCustodianSettings,
  readCustodianSettings,
  settingsRefusals,
} from '../../../actions/custody/custodian-settings.ts';
import { entityTag } from '../../http/negotiation/entity-tag.ts';
import { defineOperation } from '../../http/operation/operation.ts';
import { pathParameter } from '../../http/operation/path-parameter.ts';
import {
  readSnakeCase,
  snakeCaseBodySchema,
  snakeCaseExample,
  snakeCaseSchema,
} from '../../snake-case/snake-case-object.ts';
import { checkIfMatch } from '../conditional.ts';
import { renderV1 } from '../resource-paths.ts';
import { v1 } from '../wire.ts';

const schema = { title: 'V1 custodian settings', ...snakeCaseSchema(custodianSettings, v1) };
const base = {
  wire: v1,
  group: 'custodians',
  resource: custodian,
  path: '/v1/admin/custodians/{id}',
  right: 'admin',
  query: {},
} as const;

const readPath = defineOperation<void>({
  ...base,
  id: 'v1.custodian-settings.read',
  method: 'GET',
  summary: "Read a custodian's settings",
  description: 'Look up how the data of a bank is fetched, and what it needs for consent. Its secret is never shown.',
  mode: 'read',
  responses: { 200: { description: 'The custodian with its settings.', schema } },
  refusals: settingsRefusals,
  read: () => undefined,
  async handle({ work, params }) {
    const found = await readCustodianSettings(work, pathParameter(params, 'id'));
    return { status: 200, body: renderV1(custodianSettings, found) };
  },
});

const changePath = defineOperation<ChangeOf<typeof custodianSettingsChange>>({
  ...base,
  id: 'v1.custodian-settings.change',
  method: 'PATCH',
  summary: "Change a custodian's settings",
  description:
    'Connect a bank, or correct its connection: how its data is fetched, what it needs for consent, when the end of consent is reported, and the accounting method that it enforces. A change of the accounting method concerns every report from then on; reports as known before keep the former one. Auth flows that were started keep what they were started with.',
  mode: 'write',
  body: {
    schema: { title: 'V1 custodian settings body', ...snakeCaseBodySchema(custodianSettingsChange, v1, 'change') },
    example: snakeCaseExample(custodianSettingsChange, v1, 'change'),
  },
  responses: {
    200: { description: 'The custodian as it is now.', schema, headers: { ETag: 'Its entity tag.' } },
  },
  refusals: [...settingsRefusals, 'id-mismatch', 'precondition-failed'],
  read: ({ body, params }) =>
    readSnakeCase(custodianSettingsChange, body, { wire: v1, purpose: 'change', id: pathParameter(params, 'id') }),
  async handle({ work, params, headers }, input) {
    const changed = await changeCustodianSettings(work, pathParameter(params, 'id'), input, (present) =>
      checkIfMatch(headers['if-match'], () => writeJson(renderV1(custodianSettings, present))),
    );
    const body = renderV1(custodianSettings, changed);
    return { status: 200, headers: { etag: entityTag(writeJson(body)) }, body };
  },
});

export const v1CustodianSettingsPaths = [readPath, changePath];
