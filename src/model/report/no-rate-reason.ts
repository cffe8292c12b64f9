// Why flows have no rate of return, and the range in which rates are looked for.

export const noRateReasons = ['no-sign-change', 'no-root', 'several-roots', 'out-of-range'] as const;

export const rootsText =
  'With `several-roots`: the rates that solve the flows, ascending, at most the ten lowest; else empty. Rates that rounding cannot tell apart are listed once.';

export const rateRangeText =
  'Rates are looked for between −99.99 % and +1,000,000 % a year: one is the answer, several are `several-roots`, none but others outside are `out-of-range`. Others outside beside the answer are a warning (`rates-outside-range`).';
