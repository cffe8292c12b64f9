// What cannot be entered in a ledger or is not found there. Knows no wire.

export class LedgerError extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'LedgerFault';
  }
}
