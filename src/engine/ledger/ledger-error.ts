// Thrown for a row that cannot be entered in a ledger or is not found there.

export class LedgerError extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'LedgerFault';
  }
}
