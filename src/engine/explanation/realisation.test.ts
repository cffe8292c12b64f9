import { describe, expect, test } from 'vitest';
import { checkedFigureNames } from '../../../tests/setup/engine/explanation-check.ts';
import { historyOfText } from '../../../tests/setup/ledger-text/ledger-text.ts';
import { realisedGains } from '../history/realised-gains.ts';
import { explainRealisation } from './explanation.ts';

const redemption = (method: string) => `A redemption of units in three depositories, by thirds
client EUR ${method}
account A EUR, depositories D E G
instrument X bond USD, rate 0%, maturity 2024-06-30, count ACT/365, frequency 1
rate USD/EUR 2024-01-01 0.913
2024-01-02 deposit A 20000
2024-01-02 buy A/D X 300 @ 91.37 rate 0.91
2024-01-03 buy A/D X 400 @ 92.11 rate 0.92
2024-01-03 buy A/E X 700 @ 93.01 rate 0.92
2024-01-03 buy A/G X 100 @ 94.17 rate 0.92
2024-03-30 redeem A X 1000 @ 99.99 rate 0.93 fees 1
`;

describe('a redemption booked for an account', () => {
  test.each(['FIFO', 'AVERAGE'])('has gains of lots in all depositories that recompute under %s', (method) => {
    const history = historyOfText(redemption(method));
    const rowRealisations = realisedGains(history, { from: -Infinity, to: Infinity, covers: () => true });
    expect(rowRealisations).toHaveLength(4);
    for (const realisation of rowRealisations) {
      for (const name of ['gain', 'reference-gain', 'price-part', 'currency-part', 'units-sold'] as const) {
        const explanation = explainRealisation(history, { realisation, rowRealisations }, name);
        expect(checkedFigureNames(explanation)[0]).toBe(name);
      }
    }
  });
});
