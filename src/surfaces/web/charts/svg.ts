// Writes SVG elements with escaped attributes and rounded coordinates, so that the same chart has the same bytes.

import { escapeHtml, Html } from '../../../kit/html.ts';

type Attributes = Readonly<Record<string, string | number>>;

export function element(name: string, attributes: Attributes, ...children: readonly (Html | string)[]): Html {
  const written = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? coordinate(value) : escapeHtml(value)}"`)
    .join('');
  const content = children.map((child) => (typeof child === 'string' ? escapeHtml(child) : child.text)).join('');
  return new Html(content === '' ? `<${name}${written}/>` : `<${name}${written}>${content}</${name}>`);
}

/** One digit after the point is finer than a screen shows. */
export function coordinate(value: number): string {
  return String(Math.round(value * 10) / 10 + 0);
}

export function joined(parts: readonly Html[]): Html {
  return new Html(parts.map(({ text }) => text).join(''));
}
