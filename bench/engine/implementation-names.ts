// The names of the timed implementations, and of the task that the command-line programs share.

export const implementationNames = { ours: 'Holdfast', bare: 'bare doubles', decimal: 'decimal.js' } as const;

export const lotsTask = 'FIFO lots';
