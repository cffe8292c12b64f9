// Why a window has no return as a percentage.

/** What there was to earn on is nothing that anybody invested: forwards, short positions, amounts that net to zero. */
export type NoReturnReason = 'nothing-invested';
