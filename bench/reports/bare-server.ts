// Sends an answer from memory, in a separate process: the part of a report's time that is not computing and writing.

import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';

const [url = '', token = ''] = process.argv.slice(2);
const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
const pieces: Uint8Array[] = [];
for await (const piece of answer.body!) pieces.push(piece);
const server = http.createServer((_request, response) => void Readable.from(pieces).pipe(response));
server.listen(0, '127.0.0.1', () => {
  process.send!({ address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
