// Refusals of well-formed requests whose content does not hold: a field, a reference, a file or an amount is at fault.

import type { RefusalKind } from './refusal-kind.ts';

export const unprocessableRefusals = {
  'invalid-document': {
    status: 422,
    title: 'Invalid document',
    meaning:
      'The body is well-formed but does not match the schema. There is one error for each fault, with its place: correct those and send it again.',
  },
  'ambiguous-name': {
    status: 422,
    title: 'Ambiguous name',
    meaning: 'A number or code may mean several records, which the detail lists. Send the id of one.',
  },
  'unknown-file-format': {
    status: 422,
    title: 'Unknown file format',
    meaning: 'The file is of no format that can be read. The detail lists those that can.',
  },
  'unreadable-file': {
    status: 422,
    title: 'Unreadable file',
    meaning:
      'The file cannot be read from a line on. The detail says the line, the field and why; nothing was imported.',
  },
  'missing-attribute': { status: 422, title: 'Missing attribute', meaning: 'A required field is missing.' },
  'unknown-attribute': {
    status: 422,
    title: 'Unknown attribute',
    meaning:
      'The body contains a field that the resource does not have here. Remove it: unknown fields are never ignored.',
  },
  'invalid-attribute': {
    status: 422,
    title: 'Invalid attribute',
    meaning: 'A field has a value of the wrong form or outside its range. The detail says what it accepts.',
  },
  'immutable-attribute': {
    status: 422,
    title: 'Immutable attribute',
    meaning:
      'The field cannot change, and the value that was sent is not its present one. Leave it out, or send the present value.',
  },
  'series-not-of-type': {
    status: 422,
    title: 'Series not available for this type',
    meaning: 'Instruments of this type do not have this time series. The detail lists the ones they have.',
  },
  'different-client': {
    status: 422,
    title: 'Different client',
    meaning: 'Only records of the same client can be linked. The pointer names the one that belongs to another client.',
  },
  'not-a-member': {
    status: 422,
    title: 'Not a member',
    meaning: 'Only a member of a client can be invited to it. Add the user to the client first.',
  },
  'amount-mismatch': {
    status: 422,
    title: 'Amount mismatch',
    meaning:
      'An amount has the wrong sign, or does not match quantity, price, fees, taxes, accrued interest and rates. The detail gives the expected and the received figure.',
  },
  'fx-rate-missing': {
    status: 422,
    title: 'Exchange rate missing',
    meaning:
      'A figure needs the exchange rate of two currencies on a day, and no rates on or before that day connect the two, directly or through others. The detail names the pair and the day. Send the rate, then repeat the request.',
  },
  'invalid-public-key': {
    status: 422,
    title: 'Invalid public key',
    meaning: 'Accepted keys are RSA keys of 2048 to 4096 bits as PEM, and P-256 keys as JWK.',
  },
  'private-key-sent': {
    status: 422,
    title: 'Private key sent',
    meaning:
      'The request contains a private key instead of a public one. It was not stored; treat it as compromised and generate a new pair.',
  },
} as const satisfies Record<string, RefusalKind>;
