// Powers of ten as doubles. Knows nothing else.

/** From 10^0 on, further than doubles hold them exactly, which is 10^22. */
export const powersOfTen: readonly number[] = Array.from({ length: 37 }, (_, exponent) =>
  Number(10n ** BigInt(exponent)),
);
