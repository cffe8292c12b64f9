// Checks limits against proposed trades, cash moves and bounds on v1: reads the proposal and renders the status before and after.

import { defined } from '../../../kit/assert.ts';
import { FieldFault, id, instant, type JsonSchema } from '../../../kit/field.ts';
import { keysOf } from '../../../kit/keys.ts';
import { listOf, member, objectOf } from '../../../kit/structured-field.ts';
import { isJsonObject, type Json } from '../../../kit/json.ts';
import { isCut, Refusal, refusalForFaults, type Fault } from '../../../kit/refusal.ts';
import { exampleIdOfType, type Resource } from '../../../kit/resource.ts';
import { limitCheckShape } from '../../../model/report/limit-status.ts';
import {
  proposedBounds,
  proposedCashMove,
  proposedTrade,
  type ProposedTrade,
} from '../../../model/limit/limit-check-proposal.ts';
import { checkLimits, ProposalRefusal, type Proposal } from '../../../actions/limits/limit-check.ts';
import {
  snakeCaseBodySchema,
  snakeCaseExample,
  snakeCasePointer,
  readSnakeCase,
} from '../../snake-case/snake-case-object.ts';
import { Faults, pointerToken } from '../../http/operation/declared-fields.ts';
import { defineOperation } from '../../http/operation/operation.ts';
import { v1 } from '../wire.ts';

/** How many proposed transactions one check takes. */
const rowsMax = 1_000;
const lists = {
  trades: { name: 'trades', resource: proposedTrade },
  cashMoves: { name: 'cash_moves', resource: proposedCashMove },
  bounds: { name: 'bounds', resource: proposedBounds },
} as const;
const subjectTypes = { reporting_entity_id: 'reporting-entity', client_id: 'client' } as const;
const subjectNames = keysOf(subjectTypes);
const members: readonly string[] = [...subjectNames, ...Object.values(lists).map(({ name }) => name)];

function rowsSchema(resource: Resource, description: string): JsonSchema {
  return { type: 'array', items: snakeCaseBodySchema(resource, v1, 'create'), maxItems: rowsMax, description };
}

const answer = objectOf({
  asOf: member(instant, 'The end of the day that the limits are checked for: today.'),
  limits: member(listOf(limitCheckShape), 'The limits.'),
});

const bodySchema = {
  type: 'object',
  properties: {
    reporting_entity_id: {
      ...id.schema(v1.style),
      description: 'Whose limits. Either this or `client_id`.',
    },
    client_id: { ...id.schema(v1.style), description: 'All reporting entities of this client.' },
    trades: rowsSchema(proposedTrade, 'What would be bought and sold.'),
    cash_moves: rowsSchema(proposedCashMove, 'What would be paid in and out.'),
    bounds: rowsSchema(proposedBounds, 'Limits that would have other bounds.'),
  },
  additionalProperties: false,
} as const;

function readSubject(body: Readonly<Record<string, Json>>, faults: Faults): Proposal['subject'] | undefined {
  const [name, other] = subjectNames.filter((one) => body[one] !== undefined);
  if (name === undefined) {
    faults.add('missing-attribute', '/reporting_entity_id', 'reporting_entity_id or client_id is required.');
    return undefined;
  }
  if (other !== undefined) faults.add('invalid-attribute', `/${other}`, `${other} cannot be sent beside ${name}.`);
  const read = faults.tryRead(`/${name}`, name, () => id.read(body[name]!));
  return read && { type: subjectTypes[name], id: read };
}

function readRows(
  { name, resource }: { name: string; resource: Resource },
  sent: Json | undefined,
  faults: Faults,
): unknown[] {
  if (sent === undefined) return [];
  const rows = faults.tryRead(`/${name}`, name, () => {
    if (!Array.isArray(sent)) throw new FieldFault('must be an array');
    if (sent.length > rowsMax) throw new FieldFault(`must have at most ${rowsMax} items`);
    return sent;
  });
  return (rows ?? []).map((row, index) => readRow(resource, row, `/${name}/${index}`, faults));
}

function readRow(resource: Resource, row: Json, at: string, faults: Faults): unknown {
  try {
    return readSnakeCase(resource, row, { wire: v1, purpose: 'create', at });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    faults.addAll(error, at);
    return undefined;
  }
}

/** A trade says either how many units or how much money. */
function refuseUnmeasured(trades: readonly any[], faults: Faults): void {
  for (const [index, row] of trades.entries()) {
    if (row === undefined) continue;
    const { quantity, amount }: Partial<ProposedTrade> = row;
    const at = `/${lists.trades.name}/${index}`;
    if (quantity == null && amount == null)
      faults.add('missing-attribute', `${at}/quantity`, 'quantity or amount is required.');
    if (quantity != null && amount != null)
      faults.add('invalid-attribute', `${at}/amount`, 'amount cannot be sent beside quantity.');
  }
}

function readProposal(body: Json | undefined): Proposal {
  const faults = new Faults();
  if (!isJsonObject(body)) faults.add('invalid-attribute', '', 'The body must be an object.');
  faults.throwIfAny();
  const sent = body as { [member: string]: Json };
  for (const name of Object.keys(sent)) {
    if (members.includes(name)) continue;
    faults.add(
      'unknown-attribute',
      `/${pointerToken(name)}`,
      `There is no field ${JSON.stringify(name)} that can be set here.`,
    );
  }
  const subject = readSubject(sent, faults);
  const trades = readRows(lists.trades, sent['trades'], faults);
  const cashMoves = readRows(lists.cashMoves, sent['cash_moves'], faults);
  const bounds = readRows(lists.bounds, sent['bounds'], faults);
  refuseUnmeasured(trades, faults);
  faults.throwIfAny();
  return { subject: defined(subject, 'a missing subject was refused'), trades, cashMoves, bounds } as Proposal;
}

/** Points the refusal at the field in the body, or at the whole row if the field was not sent in it. */
function withPointers({ list, index, refusal }: ProposalRefusal, proposal: Proposal): Refusal {
  const row: Readonly<Record<string, unknown>> = { ...proposal[list][index] };
  const { name, resource }: { name: string; resource: Resource } = lists[list];
  const faults = refusal.faults.map(({ code, detail, field = '', item }): Fault => {
    const isDeclared = field in resource.attributes || field in resource.relations;
    const isMeant = isDeclared && (code === 'missing-attribute' || row[field] !== undefined);
    return { code, detail, pointer: `/${name}/${index}${isMeant ? snakeCasePointer(resource, field, item) : ''}` };
  });
  return refusalForFaults(refusal.code, faults, isCut(refusal) ? 'and-more' : 'all');
}

/** Points the refusal at the reporting entity or client that the body names. */
function withSubjectPointer(refusal: Refusal, { subject }: Proposal): Refusal {
  if (refusal.faults.length > 0) return refusal;
  const { code, message: detail } = refusal;
  const pointer = `/${subjectNames.find((name) => subjectTypes[name] === subject.type)}`;
  return new Refusal(code, detail, { faults: [{ code, detail, pointer }], cause: refusal });
}

export const limitCheckPath = defineOperation<Proposal>({
  id: 'v1.limit.check',
  wire: v1,
  group: 'limits',
  method: 'POST',
  path: '/v1/limits/check',
  summary: 'Check what trades would do to limits',
  description:
    'Ask before an order is placed. Evaluates every limit of the reporting entity or client as if the proposed trades and cash moves were booked today and the proposed bounds applied, beside its present status. Nothing is stored.',
  right: 'read',
  people: 'advisor',
  mode: 'read',
  heavy: true,
  threadKey: ({ body }) => String(isJsonObject(body) ? (body['reporting_entity_id'] ?? body['client_id']) : ''),
  query: {},
  body: {
    schema: bodySchema,
    example: {
      reporting_entity_id: exampleIdOfType('reporting-entity'),
      trades: [snakeCaseExample(proposedTrade, v1, 'create')],
      cash_moves: [snakeCaseExample(proposedCashMove, v1, 'create')],
      bounds: [snakeCaseExample(proposedBounds, v1, 'create')],
    },
  },
  responses: {
    200: {
      description: 'Every limit, oldest first.',
      schema: answer.schema(v1.style),
    },
  },
  refusals: [
    'reporting-entity-not-found',
    'client-not-found',
    'account-not-found',
    'depository-not-found',
    'instrument-not-found',
    'limit-not-found',
    'different-client',
  ],
  read: ({ body }) => readProposal(body),
  async handle({ work }, proposal) {
    try {
      const { asOf, limits } = await checkLimits(work, proposal);
      return { status: 200, body: answer.write({ asOf, limits }, v1.style) };
    } catch (error) {
      if (error instanceof ProposalRefusal) throw withPointers(error, proposal);
      throw error instanceof Refusal ? withSubjectPointer(error, proposal) : error;
    }
  },
});
