// Computes how much of the unfunded commitment leaves together with a stake that is sold or given away.

import type { Day } from '../../kit/day.ts';
import { divideRounded, type Fixed } from '../../kit/fixed.ts';
import type { History } from '../history/history.ts';
import type { FundDeparture } from '../history/fund-departures.ts';
import type { FundFlow } from './fund-flow.ts';

/** amount = unfunded × quantity ÷ held × share ÷ shares. */
export interface FundTransfer extends FundDeparture {
  /** The booking number of the row. */
  readonly number: number;
  /** The unfunded commitment just before; nothing leaves if it is not above zero. */
  readonly unfunded: Fixed;
  readonly amount: Fixed;
}

interface FundTransferRequest {
  /** All covered positions in the fund. */
  readonly positions: readonly number[];
  readonly commitment: Fixed | null;
  readonly flows: readonly FundFlow[];
  /** The last day. */
  readonly day: Day;
}

/**
 * The holder of a stake owes its part of what is not called yet: who buys half of a stake takes over half of the unfunded commitment.
 * A call of the same day comes before a sale, a distribution between sales and stakes that leave in kind.
 */
export function listFundTransfers(
  history: History,
  { positions, commitment, flows, day }: FundTransferRequest,
): readonly FundTransfer[] {
  if (commitment === null) return [];
  const transfers: FundTransfer[] = [];
  let transferred = 0n;
  for (const departure of history.values.fundDepartures(positions)) {
    if (departure.day > day) break;
    const unfunded = flows.reduce((rest, flow) => rest + unfundedEffect(flow, departure), commitment - transferred);
    if (unfunded <= 0n) continue;
    const { quantity, held, share, shares } = departure;
    const amount = shares === 0n ? 0n : divideRounded(unfunded * quantity * share, held * shares);
    if (amount === 0n) continue;
    transferred += amount;
    transfers.push({ ...departure, number: history.rows.numbers[departure.row]!, unfunded, amount });
  }
  return transfers;
}

/** What a flow changed before the stake left. */
function unfundedEffect(flow: FundFlow, { day, kind }: FundDeparture): Fixed {
  switch (flow.kind) {
    case 'drawing':
      return flow.day <= day ? -flow.effectOnUnfunded : 0n;
    case 'distribution':
      return flow.day < day || (flow.day === day && kind === 'flow') ? flow.recallableAmount : 0n;
  }
}
