// Addresses for links: only those of this service and of the web, and the same page with other parameters.

const linkable = /^(?:\/(?![/\\])|[?#]|https?:\/\/)/;

/** The address, unless a browser would run it or take it for another site's by mistake. */
export function linkableAddress(address: string | null | undefined): string | undefined {
  return typeof address === 'string' && linkable.test(address) ? address : undefined;
}

/** The address with these parameters set; null removes one. */
export function withParameters(address: string, parameters: Readonly<Record<string, string | null>>): string {
  const [path = '', query = ''] = address.split('?', 2);
  const search = new URLSearchParams(query);
  for (const [name, value] of Object.entries(parameters)) {
    if (value === null) search.delete(name);
    else search.set(name, value);
  }
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}
