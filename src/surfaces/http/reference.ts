// placeholder
import type { Addresses } from '../../actions/house.ts';
import type { OpenOperation } from './open-operation.ts';
export function referenceOperations(_a: Addresses, _o: unknown): readonly OpenOperation[] {
  return [];
}
