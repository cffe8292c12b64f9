// What creating or changing a thing can be refused with, as its declaration and its rules say. Knows no path.

import type { Resource, WireName } from '../../../kit/resource.ts';
import type { RefusalCode } from '../../../model/refusals/refusals.ts';
import type { ChangeRules } from '../../../actions/core/resource.ts';
import { mayBeSet, type Purpose } from './declared-fields.ts';

export function notFoundOf({ type }: { readonly type: string }): RefusalCode {
  return `${type}-not-found` as RefusalCode;
}

export function writeRefusalsOf<R extends Resource>(
  { resource, refusals }: ChangeRules<R>,
  { wire, purpose }: { wire: WireName; purpose: Purpose },
): readonly RefusalCode[] {
  const referred = Object.values(resource.relations).filter((one) => one.on.includes(wire) && mayBeSet(one, purpose));
  return [...refusals, ...referred.map(({ to }) => notFoundOf({ type: to }))];
}

export function deleteRefusalsOf(resource: Resource): readonly RefusalCode[] {
  return [notFoundOf(resource), ...((resource.kept ? [resource.kept.code] : []) as RefusalCode[])];
}
