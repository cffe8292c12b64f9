// Sends any bytes as the body of any operation that takes one, and reads the answer.

import type { Operation } from '../../../src/surfaces/http/operation/operation.ts';
import { operations } from '../../../src/surfaces/operations.ts';
import type { Caller, Reply } from './caller.ts';
import type { TestDatabase } from '../database/test-database.ts';
import type { SharedService } from '../node/test-service.ts';
import { runSql } from '../database/sql.ts';
import { isSandboxOnly } from '../sandbox/sandbox-clients.ts';
import { pathToRecord, recordTypeInPath, ExampleWorld } from './example-world.ts';

/** Every operation that takes a body, with its operation id. */
export const bodyOperations = operations
  .filter(({ body }) => body !== undefined)
  .map((operation) => [operation.id, operation] as const);

/**
 * One of every so many cases, others for the next operation: all cases meet operations of every wire, and each wire's first
 * operation meets all. One reader reads the bodies of all operations of a wire.
 */
export function inTurn<T>(cases: readonly T[], { id, wire }: Operation, every: number): readonly T[] {
  const place = bodyOperations.findIndex(([one]) => one === id);
  const isFirst = bodyOperations.findIndex(([, one]) => one.wire === wire) === place;
  return isFirst ? cases : cases.filter((_, index) => (index + place) % every === 0);
}

export class BodySender {
  readonly #admin: Caller;
  readonly #sandboxAdmin: Caller;
  readonly #database: TestDatabase;
  readonly #world: ExampleWorld;
  readonly #refusedRequestIds: string[] = [];

  private constructor({ admin, database }: SharedService, sandboxAdmin: Caller, world: ExampleWorld) {
    this.#admin = admin;
    this.#sandboxAdmin = sandboxAdmin;
    this.#database = database;
    this.#world = world;
  }

  static async create(service: SharedService): Promise<BodySender> {
    const sandboxAdmin = await service.openWorkspace('sandbox');
    return new BodySender(service, sandboxAdmin, await ExampleWorld.create(service.admin));
  }

  /** Operations of the sandbox are refused in production before their body is read. */
  callerFor(operation: Operation): Caller {
    return isSandboxOnly(operation) ? this.#sandboxAdmin : this.#admin;
  }

  pathOf({ path }: Operation): string {
    const type = recordTypeInPath(path);
    return type === undefined
      ? path
      : pathToRecord(path, this.#world.idOf(type), (parentType) => this.#world.idOf(parentType));
  }

  /** The example body of the reference, adapted to its target record. */
  exampleBodyFor(operation: Operation): any {
    const type = recordTypeInPath(operation.path);
    return this.#world.bodyFor(operation, type && this.#world.idOf(type));
  }

  async send(operation: Operation, raw: string | Uint8Array): Promise<Reply> {
    const { method, wire } = operation;
    const headers = { 'content-type': wire.mediaType };
    const reply = await this.callerFor(operation).send(this.pathOf(operation), { method, raw, headers });
    if (reply.status >= 400) this.#refusedRequestIds.push(reply.headers.get('x-request-id')!);
    return reply;
  }

  /** Counts the rows written by refused requests since the last call. */
  async countWritesOfRefused(): Promise<number> {
    const text = 'SELECT count(*) FROM audit_entry WHERE request_id = ANY ($1)';
    const [row] = await runSql<{ count: string }>(this.#database, text, [this.#refusedRequestIds.splice(0)]);
    return Number(row!.count);
  }
}

export interface ReportedFault {
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

/** Lists the faults in a refusal. Throws unless the answer is a refusal in the format of its wire. */
export function faultsInWireFormat({ wire }: Operation, reply: Reply): ReportedFault[] {
  const hasWireMediaType = reply.headers.get('content-type') === wire.problemMediaType;
  const isWellFormed = hasWireMediaType && (wire.name === 'v1' ? isProblem(reply) : isErrorList(reply));
  if (!isWellFormed || reply.status < 400 || reply.status >= 500) {
    throw new Error(`This is no refusal of ${wire.title}: ${reply.status} ${reply.text.slice(0, 500)}`);
  }
  return (reply.body.errors ?? []).map(({ code, pointer, source }: any) => ({
    code,
    pointer: pointer ?? source?.pointer,
  }));
}
