// Sends any bytes as the body of any operation that takes one, and reads what it is told.

import type { Operation } from '../../src/surfaces/http/operation.ts';
import { operations } from '../../src/surfaces/operations.ts';
import type { Caller, Reply } from './caller.ts';
import type { TestDatabase, TestService } from './service.ts';
import { runSql } from './sql.ts';

/** Every operation that takes a body, with its id. */
export const byId = operations
  .filter(({ body }) => body !== undefined)
  .map((operation) => [operation.id, operation] as const);

export class BodySender {
  readonly #admin: Caller;
  readonly #database: TestDatabase;
  /** Something to change in each collection: a new collection must name one. */
  readonly #things: Readonly<Record<string, string>>;
  readonly #refused: string[] = [];

  private constructor({ admin, database }: TestService, things: Readonly<Record<string, string>>) {
    this.#admin = admin;
    this.#database = database;
    this.#things = things;
  }

  static async of(service: TestService): Promise<BodySender> {
    const { admin } = service;
    const exampleOf = (wanted: string): unknown => byId.find(([id]) => id === wanted)![1].body!.example;
    return new BodySender(service, {
      clients: await admin.makeClient('To be changed'),
      applications: (await admin.post('/v1/applications', exampleOf('v1.application.create'))).body.id,
      keys: (await admin.post('/v1/keys', exampleOf('v1.key.create'))).body.id,
    });
  }

  pathOf({ path }: Operation): string {
    return path.replace(/([\w-]+)\/\{\w+\}$/, (_all, plural: string) => `${plural}/${this.#things[plural]}`);
  }

  /** The body of the reference, made to fit the thing it is sent to. */
  exampleFor(operation: Operation): any {
    const example: any = structuredClone(operation.body!.example);
    if (example.data?.id !== undefined) example.data.id = this.pathOf(operation).split('/').at(-1);
    return example;
  }

  async send(operation: Operation, raw: string | Uint8Array): Promise<Reply> {
    const { method, wire } = operation;
    const headers = { 'content-type': wire.mediaType };
    const reply = await this.#admin.send(this.pathOf(operation), { method, raw, headers });
    if (reply.status >= 400) this.#refused.push(reply.headers.get('x-request-id')!);
    return reply;
  }

  async countWrittenByRefused(): Promise<number> {
    const text = 'SELECT count(*) FROM audit_entry WHERE request_id = ANY ($1)';
    const [row] = await runSql<{ count: string }>(this.#database, text, [this.#refused]);
    return Number(row!.count);
  }
}

export interface ToldFault {
  readonly code: string;
  readonly pointer: string | undefined;
}

const isText = (value: unknown): boolean => typeof value === 'string';

function isProblem({ status, body }: Reply): boolean {
  return body.status === status && [body.type, body.title, body.detail, body.code, body.request_id].every(isText);
}

function isErrorList({ status, body }: Reply): boolean {
  return (
    body.errors.length > 0 &&
    body.errors.every(
      (error: any) =>
        error.status === String(status) && [error.id, error.code, error.title, error.detail].every(isText),
    )
  );
}

/** The faults a refusal tells of. Throws unless it is a refusal, and one in the form of its wire. */
export function faultsOf({ wire }: Operation, reply: Reply): ToldFault[] {
  const isOfWire = reply.headers.get('content-type') === wire.problemMediaType;
  const isInForm = isOfWire && (wire.name === 'v1' ? isProblem(reply) : isErrorList(reply));
  if (!isInForm || reply.status < 400 || reply.status >= 500) {
    throw new Error(`This is no refusal of ${wire.title}: ${reply.status} ${reply.text.slice(0, 500)}`);
  }
  return (reply.body.errors ?? []).map(({ code, pointer, source }: any) => ({
    code,
    pointer: pointer ?? source?.pointer,
  }));
}
