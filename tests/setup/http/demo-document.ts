// The document that the page of the reference gets from a service with a demo, and the examples of reads in it.

import { madeUp } from '../../../src/surfaces/http/reference/demo-answers.ts';

export async function fetchDemoDocument(address: string): Promise<any> {
  const headers = { origin: address, 'sec-fetch-site': 'same-origin' };
  const response = await fetch(`${address}/docs/demo`, { method: 'POST', headers });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return response.json();
}

export interface ReadExample {
  readonly operationId: string;
  /** The path and query of the examples. */
  readonly url: string;
  readonly answer: object;
  /** Whether it is the answer of the demo. */
  readonly isOfDemo: boolean;
}

/** What every read of the document shows. */
export function readExamples(document: any): readonly ReadExample[] {
  const reads = Object.entries<any>(document.paths).filter(([, { get }]) => get?.security.length > 0);
  return reads.map(([path, { get }]) => {
    const { operationId, parameters, responses } = get;
    const query = new URLSearchParams();
    let filled = path;
    for (const { name, in: place, example } of parameters) {
      if (place === 'path') filled = filled.replace(`{${name}}`, example);
      if (place === 'query' && example !== undefined) query.set(name, example);
    }
    const [media] = Object.values<any>(responses[200].content);
    return {
      operationId,
      url: query.size === 0 ? filled : `${filled}?${query}`,
      answer: media.example,
      isOfDemo: !responses[200].description.endsWith(madeUp),
    };
  });
}
