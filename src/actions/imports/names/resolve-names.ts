// The entry to names: finds the accounts, depositories and instruments that files name, with one statement for each kind, not for each name.

export { resolveAccounts, resolveDepositories, type AccountWords } from './resolve-accounts.ts';
export { resolveInstruments, resolveScopedInstruments } from './resolve-instruments.ts';
