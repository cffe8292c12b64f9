// Checks `Accept` and `Content-Type`, and reads the qualities of headers like them. Why this is not a library: docs/decisions/0030-libraries.md.

import { greatestOf } from '../../../kit/memory/long-list.ts';
import { Refusal } from '../../../kit/refusal.ts';

export interface MediaRange {
  readonly type: string;
  readonly parameters: readonly string[];
  readonly quality: number;
}

const jsonApiType = 'application/vnd.api+json';

// Ignores separators within quotes; a quote that is not closed extends to the end.
const betweenCommas = /(?:[^,"]|"(?:\\.|[^"\\])*"?)+/g;
const betweenSemicolons = /(?:[^;"]|"(?:\\.|[^"\\])*"?)+/g;

/** Reads a header such as `Accept` or `Accept-Encoding`. */
export function readRanges(header: string): readonly MediaRange[] {
  return (header.match(betweenCommas) ?? []).map(parseRange);
}

/** The quality that a header gives exactly this name; undefined if it does not name it. */
export function qualityIn(ranges: readonly MediaRange[], name: string): number | undefined {
  const quality = ranges.find(({ type }) => type === name)?.quality;
  return quality !== undefined && Number.isNaN(quality) ? 0 : quality;
}

function parseRange(text: string): MediaRange {
  const [type = '', ...rest] = (text.match(betweenSemicolons) ?? []).map((part) => part.trim().toLowerCase());
  const weight = rest.find((part) => /^q\s*=/.test(part));
  const quality = weight === undefined ? 1 : Number(weight.slice(weight.indexOf('=') + 1));
  return { type, parameters: rest.filter((part) => part !== weight && part !== ''), quality };
}

/** JSON:API allows only `profile` and `ext`, and no `ext` is supported here. A JSON body may state that it is UTF-8. */
function allowsParameter(mediaType: string, parameter: string): boolean {
  if (mediaType === jsonApiType) return parameter.startsWith('profile=');
  return /^charset="?utf-8"?$/.test(parameter) || (mediaType === 'text/csv' && parameter === 'header=present');
}

/**
 * The most specific matching range decides. JSON:API 1.1 requires a refusal if its media type appears only with
 * other parameters, even where a wildcard would match.
 */
function qualityOf(mediaType: string, ranges: readonly MediaRange[]): number {
  const family = `${mediaType.split('/')[0]}/*`;
  for (const wanted of [mediaType, family, '*/*']) {
    const matching = ranges.filter(
      ({ type, parameters }) =>
        type === wanted && (wanted !== mediaType || parameters.every((one) => allowsParameter(mediaType, one))),
    );
    if (matching.length === 0 && wanted === jsonApiType && ranges.some(({ type }) => type === wanted)) return 0;
    if (matching.length > 0) return greatestOf(matching.map(({ quality }) => (Number.isNaN(quality) ? 0 : quality)));
  }
  return 0;
}

/** Picks the media type of the highest quality; the first one on a tie. */
export function preferredMediaType<T extends string>(accept: string | undefined, types: readonly [T, ...T[]]): T {
  if (accept === undefined || accept === '') return types[0];
  const ranges = readRanges(accept);
  return types.reduce((best, type) => (qualityOf(type, ranges) > qualityOf(best, ranges) ? type : best));
}

const acceptableCache = new Map<string, boolean>();

export function checkAccept(accept: string | undefined, mediaType: string): void {
  if (accept === undefined || accept === '' || accept === '*/*' || accept === mediaType) return;
  const key = `${mediaType} ${accept}`;
  let isAcceptable = acceptableCache.get(key);
  if (isAcceptable === undefined) {
    isAcceptable = qualityOf(mediaType, readRanges(accept)) > 0;
    if (acceptableCache.size < 1_000) acceptableCache.set(key, isAcceptable);
  }
  if (isAcceptable) return;
  const detail = `The response is only available as ${mediaType}. Accept this media type.`;
  throw new Refusal('not-acceptable', detail, { faults: [{ code: 'not-acceptable', detail, header: 'Accept' }] });
}

export function checkContentType(contentType: string | undefined, mediaType: string): void {
  if (contentType !== mediaType) requireMediaType(contentType, [mediaType]);
}

/** Returns the one of the media types that the body has. */
export function requireMediaType<T extends string>(contentType: string | undefined, mediaTypes: readonly T[]): T {
  const { type, parameters } = parseRange(contentType ?? '');
  const found = mediaTypes.find((mediaType) => mediaType === type);
  if (found !== undefined && parameters.every((parameter) => allowsParameter(found, parameter))) return found;
  const detail = `Send the body with the Content-Type ${mediaTypes.join(' or ')}.`;
  throw new Refusal('unsupported-media-type', detail, {
    faults: [{ code: 'unsupported-media-type', detail, header: 'Content-Type' }],
  });
}
