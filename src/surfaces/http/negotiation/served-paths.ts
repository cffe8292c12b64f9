// Which methods an address takes, for requests that came with another one. Knows nothing of what they do.

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

/** A path and a method that it does not take, though it looks like a thing's path that does. */
export interface UnsupportedMethod {
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

  /** No thing is called `bulk`: what is asked of it as of a thing was asked of the wrong path. */
  unsupportedMethods(): readonly UnsupportedMethod[] {
    const literalPaths = this.#paths.filter(({ segments }) => isLiteral(segments));
    return literalPaths.flatMap(({ segments, methods }) => {
      const others = this.#paths.filter((path) => !isLiteral(path.segments) && matchesPattern(path.segments, segments));
      const takenMethods = new Set(others.flatMap((path) => path.methods.map(({ method }) => method)));
      for (const { method } of methods) takenMethods.delete(method);
      return [...takenMethods].map((method) => ({ path: segments.join('/'), method }));
    });
  }

  /** In the order of their declaration; none where nothing is served on these hosts. A path that is spelled out goes first. */
  allowedMethods(url: string, hosts: ReadonlySet<HostName>): string[] {
    const segments = url.replace(/\?.*/s, '').split('/');
    const matching = this.#paths.filter((path) => matchesPattern(path.segments, segments));
    const literalPaths = matching.filter((path) => isLiteral(path.segments));
    const found = literalPaths.length > 0 ? literalPaths : matching;
    const methods = found.flatMap((path) => path.methods.filter(({ host }) => host === 'any' || hosts.has(host)));
    return methods.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  }
}

/** Nothing in it is a parameter. */
function isLiteral(segments: readonly string[]): boolean {
  return !segments.some((part) => part.startsWith('{'));
}

function matchesPattern(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false;
  return pattern.every((part, index) => (part.startsWith('{') ? segments[index] !== '' : part === segments[index]));
}
