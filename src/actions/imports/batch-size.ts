// How many rows of imports are worked on together.

/** The rows that are read again together, to be booked or undone. */
export const batchRowsMax = 2_000;
/** The rows that are decided and written together while a file is read: few, so that reading, deciding and writing overlap from early on. */
export const writtenRowsMax = 500;
