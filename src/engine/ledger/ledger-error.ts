// What cannot be entered in a ledger or is not found there. Knows no wire.

export class LedgerFault extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'LedgerFault';
  }
}
