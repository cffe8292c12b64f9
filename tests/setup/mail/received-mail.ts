// Reads a received mail: headers unfolded and decoded, and the text of each part.

export interface ReceivedMail {
  readonly headers: Readonly<Record<string, string>>;
  /** The names of the headers in the order of the message. */
  readonly headerNames: readonly string[];
  /** By media type. */
  readonly parts: Readonly<Record<string, string>>;
}

function decodeWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_all, kind: string, word: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64').toString('latin1')
        : decodeQuoted(word.replaceAll('_', ' ')).toString('latin1'),
    )
    .replace(/[\x80-\xff]+/g, (bytes) => Buffer.from(bytes, 'latin1').toString());
}

function decodeQuoted(text: string): Buffer {
  const bytes = text
    .replace(/=\r?\n/g, '')
    .replace(/=([\dA-F]{2})/gi, (_all, hex) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1');
}

function splitMessage(raw: string): { headers: [string, string][]; body: string } {
  const at = raw.indexOf('\n\n');
  const lines = raw
    .slice(0, at)
    .replace(/\n[ \t]+/g, ' ')
    .split('\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return { headers, body: raw.slice(at + 2) };
}

function readPart(raw: string, parts: Record<string, string>): [string, string][] {
  const { headers, body } = splitMessage(raw);
  const headersByName = new Map(headers.map(([name, value]) => [name.toLowerCase(), value]));
  const type = headersByName.get('content-type') ?? 'text/plain';
  const boundary = /boundary="([^"]+)"/.exec(type)?.[1];
  if (boundary !== undefined) {
    for (const part of body.split(`--${boundary}`).slice(1, -1)) readPart(part.slice(1), parts);
    return headers;
  }
  const encoding = headersByName.get('content-transfer-encoding');
  const bytes =
    encoding === 'base64'
      ? Buffer.from(body, 'base64')
      : encoding === 'quoted-printable'
        ? decodeQuoted(body)
        : Buffer.from(body, 'latin1');
  parts[type.split(';')[0]!] = bytes.toString();
  return headers;
}

/** Reads a message whose bytes are one character each. */
export function readMail(raw: string): ReceivedMail {
  const parts: Record<string, string> = {};
  const headers = readPart(raw.replaceAll('\r\n', '\n'), parts);
  return {
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), decodeWords(value)])),
    headerNames: headers.map(([name]) => name),
    parts,
  };
}
