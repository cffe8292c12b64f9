// Writes HTML attributes from values, and element ids from names.

import { escapeHtml, Html } from '../../../kit/html.ts';

type AttributeValue = string | number | boolean | undefined;

/** Each with a space before it; false and undefined leave an attribute out, true writes its name alone. */
export function attributesHtml(attributes: Readonly<Record<string, AttributeValue>>): Html {
  const written = Object.entries(attributes).map(([name, value]) => {
    if (value === undefined || value === false) return '';
    return value === true ? ` ${name}` : ` ${name}="${escapeHtml(String(value))}"`;
  });
  return new Html(written.join(''));
}

/** An id without characters that links, labels and style sheets would read otherwise. */
export function elementId(...names: readonly string[]): string {
  return names.join('-').replaceAll(/[^\w-]+/g, '-');
}
