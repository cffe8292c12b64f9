// Why a window has no return as a percentage.

/**
 * `nothing-covered`: nothing was held and nothing moved. `nothing-invested`: what there was to earn on is nothing that anybody
 * invested: forwards, short positions, amounts that net to zero.
 */
export type NoReturnReason = 'nothing-covered' | 'nothing-invested';
