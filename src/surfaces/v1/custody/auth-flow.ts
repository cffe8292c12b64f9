// Auth flows on v1: read by everybody who sees their client, and moved step by step by workspace administration.

import type { ChangeOf } from '../../../kit/resource.ts';
import { authFlow } from '../../../model/custody/auth-flow.ts';
import {
  authFlowStart,
  givenConsent,
  grantedConsent,
  operatorAssignment,
} from '../../../model/custody/custody-requests.ts';
import { defined } from '../../../kit/assert.ts';
import { readActions } from '../../../actions/core/record-actions.ts';
import {
  assignOperator,
  authFlowRules,
  cancelAuthFlow,
  grantAuthFlow,
  startAuthFlow,
  submitAuthFlow,
} from '../../../actions/custody/auth-flow.ts';
import { coverageRefusals } from '../../../actions/custody/authority-coverage.ts';
import { giveConsent } from '../../../actions/custody/consent.ts';
import { defineOperation } from '../../http/operation/operation.ts';
import { readSnakeCase, snakeCaseSchema } from '../../snake-case/snake-case-object.ts';
import { renderV1, v1ListPath, v1ReadPath } from '../resource-paths.ts';
import { v1 } from '../wire.ts';
import { adminStep, bodyOf, pointIntoBody } from './admin-operation.ts';

const paths = { actions: readActions(authFlowRules) };

const startPath = defineOperation<ChangeOf<typeof authFlowStart>>({
  id: 'v1.auth-flow.create',
  wire: v1,
  group: authFlow.plural,
  method: 'POST',
  path: '/v1/admin/auth-flows',
  summary: 'Start an auth flow',
  description:
    "The first step to get data from a bank: asks for a legal entity's consent that a custodian sends the data of its accounts, or of one depository. What is needed comes from the custodian's settings: with expected files the flow waits for them, else for consent.",
  right: 'admin',
  mode: 'write',
  query: {},
  body: bodyOf(authFlowStart),
  responses: {
    201: {
      description: 'The new auth flow.',
      schema: snakeCaseSchema(authFlow, v1),
      headers: { Location: 'Its address.' },
    },
  },
  refusals: ['custodian-not-found', 'legal-entity-not-found', 'depository-not-found'],
  read: ({ body }) => readSnakeCase(authFlowStart, body, { wire: v1, purpose: 'create' }),
  async handle({ work }, input) {
    const flow = await startAuthFlow(work, input).catch((error: unknown) => {
      throw pointIntoBody(authFlowStart, error);
    });
    const location = `${work.context.addresses.baseUrl}/v1/auth-flows/${flow.id}`;
    return { status: 201, headers: { location }, body: renderV1(authFlow, flow) };
  },
});

const base = { resource: authFlow, on: authFlow } as const;

const consentPath = adminStep({
  ...base,
  verb: 'consent',
  summary: 'Give consent',
  description:
    "When the legal entity has agreed. Records consent by signed papers or by an operator, and the flow then awaits its operator. With `redirect`, consent is given on the custodian's own pages: send the person to `redirect_url` within an hour. The browser comes back to this service, which makes the authority active. A link that expired or was refused is replaced by giving consent again.",
  sent: givenConsent,
  refusals: ['connector-missing'],
  more: {
    redirect_url: {
      anyOf: [{ type: 'string' }, { type: 'null' }],
      description: 'Where the person gives consent; null for other consent types.',
    },
  },
  async take(work, id, { consentType }) {
    const given = defined(consentType, 'the body names a consent type');
    const { flow, redirectUrl } = await giveConsent(work, id, given);
    return { record: flow, more: { redirect_url: redirectUrl } };
  },
});

const assignPath = adminStep({
  ...base,
  verb: 'assign',
  summary: 'Assign an operator to an auth flow',
  description: 'Say who takes care of a flow, so that it is not forgotten. Null removes the operator.',
  sent: operatorAssignment,
  refusals: ['user-not-found'],
  take: async (work, id, { operatorId = null }) => ({ record: await assignOperator(work, id, operatorId) }),
});

const submitPath = adminStep({
  ...base,
  verb: 'submit',
  summary: 'Submit an auth flow to the custodian',
  description:
    'When the consent was sent to the bank: records that an operator has passed it on. The flow awaits the custodian from now on.',
  refusals: [],
  take: async (work, id) => ({ record: await submitAuthFlow(work, id) }),
});

const grantPath = adminStep({
  ...base,
  verb: 'grant',
  summary: 'Grant an auth flow',
  description:
    'When the custodian has agreed: makes the authority of the flow active, so that data may come in from now on. Every account that it covers is reported by the event `account.connected`; an account without a custodian gets that of the authority.',
  sent: grantedConsent,
  refusals: [...coverageRefusals],
  take: async (work, id, input) => ({ record: await grantAuthFlow(work, id, input) }),
});

const cancelPath = adminStep({
  ...base,
  verb: 'cancel',
  addsNothing: true,
  summary: 'Cancel an auth flow',
  description:
    'Give up a flow that will not come to an end, before it is granted. The authority of a first flow is cancelled with it.',
  refusals: [],
  take: async (work, id) => ({ record: await cancelAuthFlow(work, id) }),
});

export const v1AuthFlowPaths = [
  v1ListPath(paths),
  v1ReadPath(paths),
  startPath,
  consentPath,
  assignPath,
  submitPath,
  grantPath,
  cancelPath,
];
