// Conditions for the versions that were known at a moment, and the moment as their parameter.

/**
 * A moment as a parameter of the conditions below. Versions that follow each other within one millisecond begin microseconds
 * apart: known at that millisecond is the last of them.
 */
export function endOfMillisecond(moment: number): string {
  return new Date(moment).toISOString().replace('Z', '999Z');
}

/** The condition that a version was known at the moment in a parameter. */
export function wasKnownAt(parameter: string, alias = 't'): string {
  return `${alias}.known_from <= ${parameter} AND (${alias}.known_until IS NULL OR ${alias}.known_until > ${parameter})`;
}

/**
 * The conditions for versions that were known at the moment in a parameter: those that are still known, and those that have ended since.
 * They are separate because each has its own indexes.
 */
export function knownAtBranches(moment: string): readonly [still: string, since: string] {
  return [
    `AND t.known_from <= ${moment} AND t.known_until IS NULL`,
    `AND t.known_from <= ${moment} AND t.known_until > ${moment}`,
  ];
}
