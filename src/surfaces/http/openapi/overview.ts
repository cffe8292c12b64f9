// The introduction of the API reference: what applies to every path.

import { rowCap } from '../lists/row-cap.ts';

export const overview = `Who owns what, every dated event, every price, and exact answers from them.

## Three wires, one service

| wire | paths | media type | errors |
|---|---|---|---|
| **v1**, the active track | \`/v1\` | \`application/json\` | [RFC 9457](https://www.rfc-editor.org/rfc/rfc9457) problem details |
| **JSON:API**, frozen | \`/api/v2\`, \`/api/v3\` | \`application/vnd.api+json\` | \`{errors: […]}\` |
| **Plain JSON**, frozen | \`/v2\`, \`/v3\` | \`application/json\` | \`{errors: […]}\` |

They show the same records under the same ids. New integrations use v1.

## Access tokens

Every request except those under *Without a token* needs \`Authorization: Bearer <access token>\`. A token is valid on all three
wires for one hour. There are three ways to get one: an assertion signed with a registered RSA key (flow A) or P-256 key
(flow B), or the credentials of an application (flow C). A token gives access to one workspace in one environment, or to one
client of it with its descendants, and has rights: \`read\`, \`write\`, \`admin\`; \`scope\` asks for fewer than the application or key has.
\`/oauth/token\` follows RFC 6749, so that any OAuth client library can use it: form or JSON, HTTP Basic or fields, errors as
\`error\` and \`error_description\`.

## On every answer

\`X-Request-Id\` identifies the request; send your own with up to 128 letters, digits and \`_.:-\` to choose it. \`RateLimit\` and
\`RateLimit-Policy\` say how much of the request budget is left; when it is used up, the answer is 429 with \`Retry-After\`. Retry
on 429 and 5xx; with any other status the same request fails again.

Errors have a stable code; [one page](/docs/errors) lists them all. Three can occur on any address: \`path-not-found\` (404) if there
is no such path, \`method-not-allowed\` (405) with \`Allow\` if the path does not support the method, and \`expectation-failed\` (417) for
an \`Expect\` header other than \`100-continue\`.

Answers of a kilobyte or more are compressed if \`Accept-Encoding\` names \`zstd\`, \`br\` or \`gzip\`; those that show a secret are not.
The \`ETag\` of a compressed answer ends with the name of its encoding, and can be sent as any other. Pages of another origin can call this service from a browser
(CORS) if its operator has named that origin; they send a token, cookies do not count.

## Values

Ids are opaque. Decimals are exact: send them as JSON numbers or strings of up to 38 digits with 18 after the point; v1 answers
with strings, the other wires with numbers that have all digits. Dates are \`YYYY-MM-DD\`, moments RFC 3339 in UTC. Nothing is
ignored silently: an unknown parameter is refused with 400, an unknown field with 422.

## v1

Lists have pages: \`data\`, \`has_more\`, and \`next_cursor\`, which you send as \`cursor\`. Reads have an \`ETag\`: sent as
\`If-None-Match\` it gets 304 if nothing has changed; sent as \`If-Match\` with a write it prevents overwriting a change of someone
else. A write with an \`Idempotency-Key\` can be repeated safely for 24 hours. The lists of the other wires contain all rows in
one answer, up to ${rowCap.toLocaleString('en')}; \`meta\` says if there are more.
`;
