// What the ways that are timed are called, and the task that the command-line peers have too.

export const implementationNames = { ours: 'Holdfast', bare: 'bare doubles', decimal: 'decimal.js' } as const;

export const lotsTask = 'FIFO lots';
