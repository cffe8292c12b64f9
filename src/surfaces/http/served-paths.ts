// Which methods an address takes, for requests that came with another one. Knows nothing of what they do.

import type { OpenOperation } from './open-operation.ts';
import type { Operation } from './operation.ts';
import type { HostName } from './wire.ts';

interface ServedPath {
  readonly segments: readonly string[];
  readonly methods: readonly { readonly method: string; readonly host: HostName | 'any' }[];
}

function hostOf(operation: Operation | OpenOperation): HostName | 'any' {
  return 'wire' in operation ? operation.wire.host : operation.host;
}

export class ServedPaths {
  readonly #paths: readonly ServedPath[];

  constructor(operations: readonly (Operation | OpenOperation)[]) {
    this.#paths = [...Map.groupBy(operations, ({ path }) => path)].map(([path, served]) => ({
      segments: path.split('/'),
      methods: served.map((operation) => ({ method: operation.method, host: hostOf(operation) })),
    }));
  }

  /** In the order of their declaration; none where nothing is served on these hosts. */
  allowed(url: string, hosts: ReadonlySet<HostName>): string[] {
    const segments = url.replace(/\?.*/s, '').split('/');
    const found = this.#paths.filter((path) => fits(path.segments, segments));
    const methods = found.flatMap((path) => path.methods.filter(({ host }) => host === 'any' || hosts.has(host)));
    return methods.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  }
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false;
  return pattern.every((part, index) => (part.startsWith('{') ? segments[index] !== '' : part === segments[index]));
}
