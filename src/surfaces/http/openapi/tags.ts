// Groups the reference by wire, and within a wire by subject.

import type { JsonSchema } from '../../../kit/field.ts';
import type { OpenOperation } from '../operation/open-operation.ts';
import type { Operation } from '../operation/operation.ts';

function groupWords(group: string): string {
  return group.replaceAll('-', ' ');
}

export function tagOf({ wire, group }: Operation): string {
  return `${wire.title}: ${groupWords(group)}`;
}

export function openTagOf({ group }: OpenOperation): string {
  return groupWords(group);
}

function displayName(group: string): string {
  const words = groupWords(group);
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

interface Tag {
  readonly section: string;
  readonly name: string;
  readonly 'x-displayName': string;
  readonly description?: string;
}

/** The active API comes before the frozen ones. */
function tagsInOrder(operations: readonly Operation[], openOperations: readonly OpenOperation[]): readonly Tag[] {
  const activeFirst = operations.toSorted(
    (one, other) => Number(other.wire.supportsIdempotencyAndETags) - Number(one.wire.supportsIdempotencyAndETags),
  );
  const tags = [
    ...openOperations.map((open) => ({
      section: 'Without a token',
      name: openTagOf(open),
      'x-displayName': displayName(open.group),
    })),
    ...activeFirst.map((operation) => ({
      section: operation.wire.title,
      name: tagOf(operation),
      'x-displayName': displayName(operation.group),
      ...(operation.resource ? { description: operation.resource.description } : {}),
    })),
  ];
  return [...new Map(tags.toReversed().map((tag) => [tag.name, tag])).values()].toReversed();
}

export function tagsOf(
  operations: readonly Operation[],
  openOperations: readonly OpenOperation[],
): { readonly tags: readonly JsonSchema[]; readonly 'x-tagGroups': readonly JsonSchema[] } {
  const tags = tagsInOrder(operations, openOperations);
  const sections = Map.groupBy(tags, ({ section }) => section);
  return {
    tags: tags.map(({ section: _section, ...tag }) => tag),
    'x-tagGroups': [...sections].map(([name, some]) => ({ name, tags: some.map((tag) => tag.name) })),
  };
}
