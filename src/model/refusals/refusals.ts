// Every refusal of the service: its code, its HTTP status, and what it means for the caller. The API reference lists them.

import { assert } from '../../kit/assert.ts';
import { conflictRefusals } from './conflict.ts';
import type { RefusalKind } from './refusal-kind.ts';
import { notFoundRefusals } from './not-found.ts';
import { unprocessableRefusals } from './unprocessable.ts';

export type { RefusalKind };

export const refusals = {
  'malformed-request': {
    status: 400,
    title: 'Malformed request',
    meaning:
      'The request is not valid HTTP, for example because its URL cannot be decoded. Correct the request before you send it again.',
  },
  'malformed-json': {
    status: 400,
    title: 'Malformed JSON',
    meaning:
      'The body is not valid JSON, is nested too deeply, has too many values, repeats a member, or contains characters that cannot be stored. The detail says where.',
  },
  'malformed-csv': {
    status: 400,
    title: 'Malformed CSV',
    meaning:
      'The body is not valid CSV (RFC 4180): a quote is not closed, a row has more or fewer fields than the header, or the header is missing. The detail names the line.',
  },
  'consent-link-invalid': {
    status: 400,
    title: 'Consent link invalid',
    meaning:
      'The address that the browser came back to from a custodian does not belong to a consent that is being given: it was used before, is older than an hour, or was replaced by a newer one. Begin the consent again.',
  },
  'invalid-parameter': {
    status: 400,
    title: 'Invalid parameter',
    meaning: 'A query parameter has a value that it does not accept. The detail says which one, and what it accepts.',
  },
  'unknown-parameter': {
    status: 400,
    title: 'Unknown parameter',
    meaning: 'The path does not have this query parameter. Remove it: unknown parameters are never ignored.',
  },
  'cursor-invalid': {
    status: 400,
    title: 'Invalid cursor',
    meaning:
      'The cursor was not issued for this list with these filters and this caller. Start again from the first page.',
  },
  'cursor-expired': {
    status: 400,
    title: 'Cursor expired',
    meaning: 'Cursors are valid for 24 hours. Start again from the first page.',
  },
  'report-too-large': {
    status: 400,
    title: 'Report too large',
    meaning:
      'The series would have more than 10,000,000 points, or with `explain=true` more than 1,000,000; each day of each segment is one point. Request fewer days or fewer axes.',
  },
  'invalid-idempotency-key': {
    status: 400,
    title: 'Invalid idempotency key',
    meaning: '`Idempotency-Key` must have 1 to 255 bytes.',
  },
  'token-missing': {
    status: 401,
    title: 'Access token missing',
    meaning:
      'The request has neither an `Authorization: Bearer` header nor a session cookie. Get an access token, or sign in.',
  },
  'token-invalid': {
    status: 401,
    title: 'Access token invalid',
    meaning: 'The token was not issued by this service, or it was altered. Get a new one.',
  },
  'token-expired': {
    status: 401,
    title: 'Access token expired',
    meaning: 'Tokens are valid for one hour. Get a new one.',
  },
  'token-revoked': {
    status: 401,
    title: 'Access token revoked',
    meaning:
      'The application or key that the token was issued for was deleted, or its user no longer has access to any client.',
  },
  'right-missing': {
    status: 403,
    title: 'Right missing',
    meaning:
      'The application or key lacks the right that this operation requires: `read`, `write` or `admin`. For a person: their role (`viewer`, `advisor` or `admin`) is not sufficient, or the operation is not available to people. Use a token that has the right.',
  },
  'sandbox-only': {
    status: 403,
    title: 'Sandbox only',
    meaning:
      'This exists in the sandbox environment only, so that nothing invented ever stands beside real clients. Use the token of an application whose `environment` is `sandbox`.',
  },
  'workspace-suspended': {
    status: 403,
    title: 'Workspace suspended',
    meaning:
      'The operator of the service has suspended the workspace: nothing in it can be read or changed, and everything in it is kept. Ask the operator to resume it. A token request is answered with `unauthorized_client`.',
  },
  'request-forged': {
    status: 403,
    title: 'Cross-site request refused',
    meaning:
      'A change made with a session cookie must carry the `X-CSRF-Token` of the session and the `Origin` of the service, so that no other site can send it.',
  },
  'outside-reach': {
    status: 403,
    title: 'Outside the scope of this token',
    meaning:
      'A token that is bound to one client can change only what belongs to that client and its descendants. Use a token of the whole workspace for what all clients share.',
  },
  'client-generated-id': {
    status: 403,
    title: 'Client-generated id',
    meaning: 'The service assigns ids: a document that creates a record must not contain an `id`.',
  },
  'path-not-found': {
    status: 404,
    title: 'Path not found',
    meaning: 'The service has no such path. Check the URL and the host.',
  },
  'client-not-found': {
    status: 404,
    title: 'Client not found',
    meaning: 'There is no such client, it was deleted, or the caller cannot see it.',
  },
  ...notFoundRefusals,
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    meaning: 'The path does not support this method. `Allow` lists the methods that it supports.',
  },
  'not-acceptable': {
    status: 406,
    title: 'Not acceptable',
    meaning: 'The answer is not available in any media type that `Accept` names.',
  },
  'request-timeout': {
    status: 408,
    title: 'Request timeout',
    meaning:
      'The headers took more than 20 seconds, the body stood still for as long or arrived at less than 16 KiB a second, or the request took more than ten minutes. Send it again.',
  },
  ...conflictRefusals,
  'precondition-failed': {
    status: 412,
    title: 'Precondition failed',
    meaning:
      'The record changed since it was read: its entity tag is not the one in `If-Match`. Read it again, then repeat the change.',
  },
  'body-too-large': {
    status: 413,
    title: 'Body too large',
    meaning: 'A body can have at most 1 MiB, and a bulk body 256 MiB. Send it in parts.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported media type',
    meaning: 'The path does not accept the media type of this body. Check `Content-Type`.',
  },
  'expectation-failed': {
    status: 417,
    title: 'Expectation failed',
    meaning: 'The `Expect` header asks for something other than `100-continue`. Leave it out.',
  },
  ...unprocessableRefusals,
  'budget-exceeded': {
    status: 429,
    title: 'Too many requests',
    meaning: 'The workspace has used up its request budget for the moment. Wait for `Retry-After` seconds.',
  },
  'too-many-in-flight': {
    status: 429,
    title: 'Too many requests at once',
    meaning:
      'Too many requests of this workspace are waiting for each other, or too many long bodies with this credential are arriving. Wait for `Retry-After` seconds.',
  },
  'import-day-quota-reached': {
    status: 429,
    title: 'Quota of imports of a day reached',
    meaning:
      'Files and feeds have brought as many rows today as the operator of the workspace allows. Nothing was imported. Send the file after midnight UTC, as `Retry-After` says, or ask the operator for more.',
  },
  'feed-just-ran': {
    status: 429,
    title: 'The custodian was just visited',
    meaning:
      'A feed is run by hand at most once a minute, however its last run was begun: banks lock out whoever asks them too often. Wait for `Retry-After` seconds.',
  },
  'mail-limit': {
    status: 429,
    title: 'Too much mail',
    meaning:
      'A client can send one address at most 5 mails an hour and 20 a day, and a workspace 200 and 1,000, unless the operator has set other limits. Nothing was changed. Wait for `Retry-After` seconds.',
  },
  'headers-too-large': {
    status: 431,
    title: 'Headers too large',
    meaning: 'The URL and headers of a request can have at most 16 KiB together.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    meaning: 'The service has a defect. Nothing was changed. Report the request id to the operator.',
  },
  'database-away': {
    status: 503,
    title: 'Database unavailable',
    meaning:
      'The database cannot be reached at the moment. Try again after `Retry-After` seconds. Nothing was changed, unless the detail says that this is unknown.',
  },
  'database-read-only': {
    status: 503,
    title: 'Database read-only',
    meaning:
      'The database accepts no changes at the moment, such as during a failover. Nothing was changed. Try again after `Retry-After` seconds.',
  },
  'database-full': {
    status: 503,
    title: 'Database full',
    meaning:
      'The disk of the database is full. Nothing was changed. Requests succeed again once the operator has made room.',
  },
  'read-only-mode': {
    status: 503,
    title: 'Read-only for the time being',
    meaning:
      'The operator lets nobody change anything at the moment, such as during a move; the detail has the reason and when it is expected to end. Everything can be read. Nothing was changed. Try again after `Retry-After` seconds.',
  },
  maintenance: {
    status: 503,
    title: 'Under maintenance',
    meaning:
      'The operator has taken the service out of use for a while; the detail has the reason and when it is expected to end. Nothing is lost, and nothing was changed. Try again after `Retry-After` seconds.',
  },
  'records-busy': {
    status: 503,
    title: 'Records busy',
    meaning:
      'Other requests have been changing the same records for too long. Nothing was changed. Try again after `Retry-After` seconds.',
  },
  'spool-full': {
    status: 503,
    title: 'No room for the body',
    meaning:
      'The large bodies that are arriving at this node take all the room that the operator gives them, or those of this workspace take their half of it. Nothing was changed. Send the request again after `Retry-After` seconds, with fewer bodies at a time.',
  },
  'too-many-connections': {
    status: 503,
    title: 'Too many connections',
    meaning:
      'This node has as many connections as it may, or this address has too many on which no token or session was verified yet, and all of them are in use. Nothing of the request was read. Keep connections open and use them again; try again after `Retry-After` seconds.',
  },
  starting: {
    status: 503,
    title: 'Starting',
    meaning: 'This node is starting and not ready yet. Try again after `Retry-After` seconds. Nothing was changed.',
  },
  stopping: {
    status: 503,
    title: 'Shutting down',
    meaning: 'This node is shutting down. Try again: another node, or its successor, will answer.',
  },
} as const satisfies Record<string, RefusalKind>;

export type RefusalCode = keyof typeof refusals;

/** Returns the code, which must be declared. */
export function declaredCode(code: string): RefusalCode {
  assert(isRefusalCode(code), `the refusal ${code} is declared`);
  return code;
}

export function isRefusalCode(code: string): code is RefusalCode {
  return Object.hasOwn(refusals, code);
}
