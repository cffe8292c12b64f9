// A load: a number of GET requests over a number of connections kept open, one after the other on each.

import http from 'node:http';

export interface Load {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly requests: number;
  readonly connections: number;
}

/** Seconds it took. Throws when an answer is anything but 200. */
export async function runLoad({ url, headers, requests, connections }: Load): Promise<number> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  const began = performance.now();
  let left = requests;
  const worker = async (): Promise<void> => {
    while (left-- > 0) await getOnce(url, headers, agent);
  };
  await Promise.all(Array.from({ length: connections }, worker));
  agent.destroy();
  return (performance.now() - began) / 1_000;
}

function getOnce(url: string, headers: Readonly<Record<string, string>>, agent: http.Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
      response.resume().once('end', resolve).once('error', reject);
    });
    request.once('error', reject);
  });
}
