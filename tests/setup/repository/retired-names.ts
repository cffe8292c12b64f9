// Names and words that were retired for everyday ones. A test keeps them from coming back.

/** No identifier has one of these as a part of its name. */
export const retiredWords: ReadonlySet<string> = new Set([
  'asked',
  'furnish',
  'house',
  'keeper',
  'lane',
  'sieve',
  'sight',
  'stake',
  'thing',
  'things',
  'told',
]);

export const retiredNames: readonly string[] = [];
