// Settings of a client that states none, as answers show them.

export const defaultReconciliation = {
  units_tolerance: '0',
  cash_tolerance: '1',
  price_tolerance: '0.01',
  settlement_days: 5,
};
