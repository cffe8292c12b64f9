// The words of a custodian for an instrument, as answers show them.

import { calendarDate, decimal, oneOf, text } from '../../kit/field.ts';
import { objectOf } from '../../kit/structured-field.ts';

const word = text({ lengthMax: 400 });

export const namedInstrumentKind = objectOf({
  isin: { kind: word, description: 'Its ISIN.', optional: true },
  cusip: { kind: word, description: 'Its CUSIP.', optional: true },
  sedol: { kind: word, description: 'Its SEDOL.', optional: true },
  ticker: { kind: word, description: 'Its ticker.', optional: true },
  mic: { kind: word, description: 'The market identifier code of the exchange of the ticker.', optional: true },
  custodianCode: { kind: word, description: 'The identifier that the custodian itself uses.', optional: true },
  name: { kind: word, description: 'Its name.', optional: true },
  currency: { kind: word, description: 'The currency of its quotes.', optional: true },
  type: {
    kind: oneOf(['stock', 'bond', 'fund', 'option', 'other']),
    description: 'What it is, as far as the custodian says.',
    optional: true,
  },
  country: { kind: word, description: 'The country of its issuer.', optional: true },
  maturity: { kind: calendarDate, description: 'When it matures.', optional: true },
  couponRate: { kind: decimal, description: 'Its coupon.', optional: true },
});
