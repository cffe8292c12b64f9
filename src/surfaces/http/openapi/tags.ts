// Groups the reference by wire, and within a wire by subject.

import { defined } from '../../../kit/assert.ts';
import type { JsonSchema } from '../../../kit/field.ts';
import type { Resource } from '../../../kit/resource.ts';
import { groupIntroduction } from './introductions.ts';
import { modelMapMarkdown } from './model-map.ts';
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
  readonly description: string;
}

/** A group and its operations, of which one that serves a resource introduces the group. */
interface Group {
  readonly section: string;
  readonly name: string;
  readonly group: string;
  readonly resource: Resource | undefined;
}

function describeGroup({ section, name, group, resource }: Group): Tag {
  const description = [groupIntroduction(group, resource), modelMapMarkdown(group)].filter(
    (part) => part !== undefined,
  );
  return { section, name, 'x-displayName': displayName(group), description: description.join('\n\n') };
}

/** The active API comes before the frozen ones, and what most readers never call by hand comes last. */
function tagsInOrder(operations: readonly Operation[], openOperations: readonly OpenOperation[]): readonly Tag[] {
  const activeFirst = operations.toSorted(
    (one, other) => Number(other.wire.supportsIdempotencyAndETags) - Number(one.wire.supportsIdempotencyAndETags),
  );
  const groups: readonly Group[] = [
    ...activeFirst.map((operation) => {
      const { wire, group, resource } = operation;
      return { section: wire.title, name: tagOf(operation), group, resource };
    }),
    ...openOperations.map((open) => {
      return { section: 'Without a token', name: openTagOf(open), group: open.group, resource: undefined };
    }),
  ];
  return [...Map.groupBy(groups, ({ name }) => name).values()].map((same) =>
    describeGroup(defined(same.find(({ resource }) => resource !== undefined) ?? same[0], 'a group has an operation')),
  );
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
