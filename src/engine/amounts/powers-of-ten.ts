// Lists powers of ten as doubles.

/** Starts at 10^0 and goes beyond 10^22, the last that a double holds exactly. */
export const powersOfTen: readonly number[] = Array.from({ length: 37 }, (_, exponent) =>
  Number(10n ** BigInt(exponent)),
);
