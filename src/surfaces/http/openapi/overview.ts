// The words that open the reference: what holds on every path and is therefore said of none.

import { rowCap } from '../lists/row-cap.ts';

export const overview = `Who owns what, every dated event, every price, and exact answers from them.

## Three wires, one service

| wire | paths | media type | errors |
|---|---|---|---|
| **v1**, the active track | \`/v1\` | \`application/json\` | [RFC 9457](https://www.rfc-editor.org/rfc/rfc9457) problem details |
| **JSON:API**, frozen | \`/api/v2\`, \`/api/v3\` | \`application/vnd.api+json\` | \`{errors: […]}\` |
| **Plain JSON**, frozen | \`/v2\`, \`/v3\` | \`application/json\` | \`{errors: […]}\` |

They show the same things under the same ids. New integrations use v1.

## Access tokens

Every request but those under *Without a token* carries \`Authorization: Bearer <access token>\`. One token is good on all
three wires for an hour. There are three ways to get one: an assertion signed with a registered RSA key (flow A) or P-256
key (flow B), or the credentials of an application (flow C). A token sees one workspace in one environment, or one client
of it with its descendants, and carries rights: \`read\`, \`write\`, \`admin\`.

## On every answer

\`X-Request-Id\` names the request, with your own id if you sent one of up to 128 letters, digits and \`_.:-\`. \`RateLimit\` and
\`RateLimit-Policy\` tell how much of the request budget is left; beyond it the answer is 429 with \`Retry-After\`. Ask again on
429 and 5xx; every other status is final.

Errors carry a code that does not change. [All codes](/docs/errors) stand on one page. Two can come from any address:
\`path-not-found\` (404) where nothing is served, and \`method-not-allowed\` (405) with \`Allow\` where the method is another.

## Values

Ids are opaque. Decimals are exact: they are taken as JSON numbers or strings of up to 38 digits with 18 after the point,
and answered as strings on v1, as numbers with all their digits elsewhere. Dates are \`YYYY-MM-DD\`, moments RFC 3339 in UTC.
Nothing that was sent is ignored silently: an unknown parameter is refused with 400, an unknown field with 422.

## v1

Lists come in pages: \`data\`, \`has_more\`, and \`next_cursor\` to be sent as \`cursor\`. Reads carry an \`ETag\`; sent back as
\`If-None-Match\` it gets 304 when nothing has changed, as \`If-Match\` it keeps a change or deletion from undoing another's. A write with an
\`Idempotency-Key\` can be sent again safely for 24 hours. The lists of the other wires hold everything in one answer, up to
${rowCap.toLocaleString('en')} rows; \`meta\` says so when rows were left out.
`;
