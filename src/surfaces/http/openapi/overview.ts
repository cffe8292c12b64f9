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

## First steps

Ask \`GET /v1/me\` who you are, \`GET /v1/reporting-entities\` what there is to report on, and \`GET /v1/holdings\` what it holds. To
build a portfolio of your own: a client, a legal entity, an account, a reporting entity with a portfolio that contains the account, an
instrument with a price, and the first transaction.

Examples are answers that a test has received: reads about the family of the demo, with its ids and long lists cut off after the third
entry; writes, and what the family has none of, about records made for them. With the demo on your machine, the page asks it for the
answers: what is shown is what you get when you send the request, and what is made up says so.

## Pagination

Lists of v1 have pages of up to 100 rows: \`data\`, \`has_more\`, and \`next_cursor\`, which you send as \`cursor\` with the same
filters until \`has_more\` is false. A cursor is valid for 24 hours; rows that are added meanwhile do not shift the pages. The lists of
the other wires contain all rows in one answer, up to ${rowCap.toLocaleString('en')}; \`meta\` says if there are more.

## Idempotency

A write of v1 with an \`Idempotency-Key\` that you choose is executed once. Sent again within 24 hours, it gets the first answer with its
status, headers and body, and \`Idempotent-Replayed: true\`. \`X-Request-Id\` and \`request_id\` are those of the first answer. Choose a new key for
each thing that you want done, and keep it while you retry. The same key with another request is refused with \`idempotency-key-reused\`.

Keys belong to the workspace and the environment of the token, not to one application. Another application that sends the same request with the same key gets the
same answer if the request is open to it. If the application lacks a right or a client that the request takes, it gets a 403.
Refusals of a request (400, 409, 422) use its key up: correct the body and choose a new key. A request without access (401, 403), over the budget (429) or after a failure (5xx) can be repeated
with the same key.

## Errors

Every refusal has a status and a stable \`code\`; programs decide by the code, people read \`detail\`, which says what happened and
what to do. [One page](/docs/errors) lists all codes. Retry on 429 and 5xx; with any other status the same request fails again. Several
faults of one body are reported together, each with its place. Three can occur on any address: \`path-not-found\` (404) if there is no
such path, \`method-not-allowed\` (405) with \`Allow\` if the path does not support the method, and \`expectation-failed\` (417) for an
\`Expect\` header other than \`100-continue\`. \`X-Request-Id\` identifies a request; send your own with up to 128 letters, digits and
\`_.:-\` to choose it.

## Rate limits

A workspace has a budget: by default 1,000 requests a minute with bursts of 300. Applications and keys share it, and each person has one
of their own. Each request costs one, whatever it asks for. \`RateLimit\` says what is left, \`RateLimit-Policy\` the size; when it is
used up, the answer is 429 with \`Retry-After\`. Besides, heavy requests of one workspace take turns, as their descriptions say.

## Conditional reads and writes

Reads of v1 have an \`ETag\`: sent as \`If-None-Match\` it gets 304 without a body if nothing has changed; sent as \`If-Match\` with a
write it prevents overwriting a change of someone else. Answers of a kilobyte or more are compressed if \`Accept-Encoding\` names
\`zstd\`, \`br\` or \`gzip\`; those that show a secret are not. The \`ETag\` of a compressed answer ends with the name of its encoding,
and can be sent as any other. Pages of another origin can call this service from a browser (CORS) if its operator has named that origin;
they send a token, cookies do not count.

## Webhooks

Instead of asking again and again, let events be sent to you: register an address with \`POST /v1/webhooks\`, verify the signature of
every delivery, answer with 2xx within 10 seconds, and ignore an event whose id you have handled. A delivery that fails is retried for 24
hours; those of one client arrive in order. \`GET /v1/events\` lists what was sent, to catch up after an outage.

## Imports

Files of custodians (camt, MT940, semt, OFX, Flex, CSV and others) are sent to \`POST /v1/imports\`, which says for each row what would
become of it; \`POST /v1/imports/{id}/book\` books it, and \`/undo\` takes it back. Rows that you have as data already are sent in bulk:
\`POST /v1/transactions/bulk\`, \`/v1/fx-rates/bulk\`, and \`/bulk\` of each time series take JSON, JSON lines or CSV up to 256 MiB.

## Exact numbers

Decimals are exact: send them as JSON numbers or strings of up to 38 digits with 18 after the point; v1 answers with strings, the other
wires with numbers that have all digits. Read them with a decimal type: a double has 15 digits. Shares and returns are fractions: 0.05 is
5 %. Dates are \`YYYY-MM-DD\`, moments RFC 3339 in UTC. Ids are opaque.

## Versions

v1 grows by new paths, parameters and members; what exists stays as it is, so ignore members that you do not know. JSON:API and Plain
are frozen. In requests nothing is ignored silently: an unknown parameter is refused with 400, an unknown field with 422. Data has
versions too: \`known_at\` asks what was known at an earlier moment, and a correction never changes that answer.
`;
