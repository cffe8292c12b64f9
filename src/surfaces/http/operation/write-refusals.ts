// The refusals of creating, changing and deleting a record, from its declaration and its rules.

import type { Resource } from '../../../kit/resource.ts';
import { declaredCode, type RefusalCode } from '../../../model/refusals/refusals.ts';
import type { ReadActions, WriteRefusals } from '../../../actions/core/record-actions.ts';
import { isSettable, type WritePurpose } from './declared-fields.ts';
import type { Wire } from './operation.ts';

export function notFoundCode({ type }: { readonly type: string }): RefusalCode {
  return declaredCode(`${type}-not-found`);
}

export function writeRefusals<R extends Resource>(
  { resource, refusals }: Pick<ReadActions<R>, 'resource'> & WriteRefusals,
  { wire, purpose }: { wire: Pick<Wire, 'shownFields'>; purpose: WritePurpose },
): readonly RefusalCode[] {
  const settable = wire.shownFields.of(resource).relations.filter(([, relation]) => isSettable(relation, purpose));
  return [...refusals, ...settable.map(([, { to }]) => notFoundCode({ type: to }))];
}

export function deleteRefusals(resource: Resource): readonly RefusalCode[] {
  const hasBuiltIn = Object.values(resource.variants?.of ?? {}).some(({ isBuiltIn }) => isBuiltIn);
  return [
    notFoundCode(resource),
    ...(resource.deletion ? [declaredCode(resource.deletion.code)] : []),
    ...(hasBuiltIn ? [declaredCode(`${resource.type}-read-only`)] : []),
  ];
}
