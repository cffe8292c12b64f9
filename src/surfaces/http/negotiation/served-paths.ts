// Finds the methods that a path supports, for the `Allow` header of requests with another method.

import type { OpenOperation } from '../operation/open-operation.ts';
import type { Operation } from '../operation/operation.ts';
import type { HostName } from './hosts.ts';

interface ServedPath {
  readonly segments: readonly string[];
  readonly methods: readonly { readonly method: string; readonly host: HostName | 'any' }[];
}

function hostOf(operation: Operation | OpenOperation): HostName | 'any' {
  return 'wire' in operation ? operation.wire.host : operation.host;
}

/** A literal path such as `/v1/clients/bulk`, and a method that only the record pattern `/v1/clients/{id}` supports. */
interface UnsupportedMethod {
  readonly path: string;
  readonly method: string;
}

export class ServedPaths {
  readonly #paths: readonly ServedPath[];

  constructor(operations: readonly (Operation | OpenOperation)[]) {
    this.#paths = [...Map.groupBy(operations, ({ path }) => path)].map(([path, served]) => ({
      segments: path.split('/'),
      methods: served.map((operation) => ({ method: operation.method, host: hostOf(operation) })),
    }));
  }

  /** No record has the id `bulk`: `GET /v1/clients/bulk` must be refused, not looked up as a record. */
  unsupportedMethods(): readonly UnsupportedMethod[] {
    const { literal = [], pattern = [] } = Object.groupBy(this.#paths, ({ segments }) =>
      isLiteral(segments) ? 'literal' : 'pattern',
    );
    const patterns = Map.groupBy(pattern, ({ segments }) => segments.length);
    return literal.flatMap(({ segments, methods }) => {
      const ofSameLength = patterns.get(segments.length) ?? [];
      const others = ofSameLength.filter((path) => matchesPattern(path.segments, segments));
      const patternMethods = new Set(others.flatMap((path) => path.methods.map(({ method }) => method)));
      for (const { method } of methods) patternMethods.delete(method);
      return [...patternMethods].map((method) => ({ path: segments.join('/'), method }));
    });
  }

  /** Lists methods in the order of declaration; empty if nothing is served on these hosts. A literal path hides a pattern. */
  allowedMethods(url: string, hosts: ReadonlySet<HostName>): string[] {
    const segments = url.replace(/\?.*/s, '').split('/');
    const matching = this.#paths.filter((path) => matchesPattern(path.segments, segments));
    const literalPaths = matching.filter((path) => isLiteral(path.segments));
    const found = literalPaths.length > 0 ? literalPaths : matching;
    const methods = found.flatMap((path) => path.methods.filter(({ host }) => host === 'any' || hosts.has(host)));
    return methods.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  }
}

/** Whether the path has no parameter. */
function isLiteral(segments: readonly string[]): boolean {
  return !segments.some((part) => part.startsWith('{'));
}

function matchesPattern(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false;
  return pattern.every((part, index) => (part.startsWith('{') ? segments[index] !== '' : part === segments[index]));
}
