// Builds the operations of workspace administration on auth flows and authorities: one step each, with or without a body.

import type { AnyChange, ChangeOf, RecordOf, Resource } from '../../../kit/resource.ts';
import type { JsonSchema } from '../../../kit/field.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { RefusalCode } from '../../../model/refusals/refusals.ts';
import type { Work } from '../../../actions/core/work.ts';
import { defineOperation, type Operation } from '../../http/operation/operation.ts';
import { pathParameter } from '../../http/operation/path-parameter.ts';
import { notFoundCode } from '../../http/operation/write-refusals.ts';
import {
  readSnakeCase,
  snakeCasePointer,
  snakeCaseBodySchema,
  snakeCaseExample,
  snakeCaseSchema,
} from '../../snake-case/snake-case-object.ts';
import { renderV1 } from '../resource-paths.ts';
import { v1 } from '../wire.ts';

interface Step<Shown extends Resource, Sent extends Resource> {
  /** What is shown of the outcome, and what the step is taken on. */
  readonly resource: Shown;
  readonly on: Resource;
  /** The last part of the path, and of the id of the operation. */
  readonly verb: string;
  readonly summary: string;
  readonly description: string;
  readonly sent?: Sent;
  readonly status?: 200 | 201;
  readonly addsNothing?: true;
  readonly refusals: readonly RefusalCode[];
  /** Members of the answer beside the record. */
  readonly more?: Readonly<Record<string, JsonSchema>>;
  take(
    work: Work,
    id: string,
    input: ChangeOf<Sent>,
  ): Promise<{ readonly record: RecordOf<Shown>; readonly more?: AnyChange }>;
}

export function bodyOf(sent: Resource): NonNullable<Operation['body']> {
  return { schema: snakeCaseBodySchema(sent, v1, 'create'), example: snakeCaseExample(sent, v1, 'create') };
}

/** Points the faults of a refusal at members of the body, which is none of the resource that the step is taken on. */
export function pointIntoBody(sent: Resource, error: unknown): unknown {
  if (!(error instanceof Refusal)) return error;
  const faults = error.faults.map(({ field, item, ...fault }) =>
    field === undefined ? fault : { ...fault, pointer: snakeCasePointer(sent, field, item) },
  );
  return new Refusal(error.code, error.message, { faults });
}

/** `POST /v1/admin/<plural>/{id}/<verb>`. */
export function adminStep<Shown extends Resource, Sent extends Resource>(step: Step<Shown, Sent>): Operation {
  const { resource, on, verb, summary, description, sent, status = 200, refusals, more = {}, addsNothing } = step;
  const shown = snakeCaseSchema(resource, v1);
  const schema = { ...shown, required: [...(shown['required'] as string[]), ...Object.keys(more)] };
  const properties = { ...(shown['properties'] as object), ...more };
  return defineOperation<ChangeOf<Sent>>({
    id: `v1.${on.type}.${verb}`,
    wire: v1,
    group: on.plural,
    ...(sent === undefined ? { resource: on } : {}),
    method: 'POST',
    path: `/v1/admin/${on.plural}/{id}/${verb}`,
    summary,
    description,
    right: 'admin',
    mode: 'write',
    ...(addsNothing === true ? { addsNothing } : {}),
    query: {},
    ...(sent === undefined ? {} : { body: bodyOf(sent) }),
    responses: { [status]: { description: 'As it is now.', schema: { ...schema, properties } } },
    refusals: [notFoundCode(on), 'state-conflict', ...refusals],
    read: ({ body }) =>
      sent === undefined ? ({} as ChangeOf<Sent>) : readSnakeCase(sent, body, { wire: v1, purpose: 'create' }),
    async handle({ work, params }, input) {
      const taken = step.take(work, pathParameter(params, 'id'), input).catch((error: unknown) => {
        throw sent === undefined ? error : pointIntoBody(sent, error);
      });
      const { record, more: members = {} } = await taken;
      return { status, body: { ...renderV1(resource, record), ...members } };
    },
  });
}
