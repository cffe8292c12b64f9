// Lists the day count conventions, and the other spellings under which they are accepted.

export const dayCountConventions = [
  '30/360-US',
  '30/360-BOND',
  '30E/360',
  '30E/360-ISDA',
  'ACT/360',
  'ACT/365',
  'ACT/ACT-ICMA',
  'ACT/ACT-ISDA',
] as const;

/** Does not move the end of February to the 30th on the maturity itself, so an instrument must have one. */
export const maturityDayCount = '30E/360-ISDA' satisfies DayCountConvention;

export type DayCountConvention = (typeof dayCountConventions)[number];

// Spellings that differ in more than case, spaces, hyphens, underscores, brackets and ACTUAL for ACT. Similar names that count
// differently (ACT/365L, ACT/ACT-AFB) are refused.
const spellings: Readonly<Record<string, DayCountConvention>> = {
  '30/360': '30/360-BOND',
  '30/360BONDBASIS': '30/360-BOND',
  BONDBASIS: '30/360-BOND',
  EUROBONDBASIS: '30E/360',
  'ACT/365F': 'ACT/365',
  'ACT/365FIXED': 'ACT/365',
  'ACT/ACT': 'ACT/ACT-ICMA',
  'ACT/ACTISMA': 'ACT/ACT-ICMA',
};

function spellingKey(name: string): string {
  return name
    .toUpperCase()
    .replaceAll('ACTUAL', 'ACT')
    .replaceAll(/[\s_()-]/g, '');
}

const conventionByKey: ReadonlyMap<string, DayCountConvention> = new Map([
  ...dayCountConventions.map((convention) => [spellingKey(convention), convention] as const),
  ...Object.entries(spellings),
]);

/** Finds the convention of this name in any accepted spelling. */
export function findDayCountConvention(name: string): DayCountConvention | undefined {
  return conventionByKey.get(spellingKey(name));
}
