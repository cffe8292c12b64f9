// How sales are matched with lots.

export const accountingMethods = ['FIFO', 'AVERAGE', 'SPECIFIC_ID'] as const;
export type AccountingMethod = (typeof accountingMethods)[number];
