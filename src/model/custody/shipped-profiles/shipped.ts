// All profiles that are shipped with the service, in the order of their fixed ids.

import type { ImportProfile } from '../import-profile.ts';
import { americanProfiles } from './american.ts';
import { germanProfiles } from './german.ts';
import { plainProfiles } from './plain-files.ts';
import { swissProfiles } from './swiss.ts';

export { isShippedId } from './declare-profile.ts';

export const shippedProfiles: readonly ImportProfile[] = [
  ...plainProfiles,
  ...swissProfiles,
  ...germanProfiles,
  ...americanProfiles,
].toSorted((one, other) => (one.id < other.id ? -1 : 1));

const shippedById = new Map<string, ImportProfile>(shippedProfiles.map((one) => [one.id, one]));

export function findShippedProfile(id: string): ImportProfile | undefined {
  return shippedById.get(id);
}

const plainIds: ReadonlySet<string> = new Set(plainProfiles.map(({ id }) => id));

/** Whether it describes everyday names, not the export of one bank or program. */
export function isPlainProfile({ id }: ImportProfile): boolean {
  return plainIds.has(id);
}
