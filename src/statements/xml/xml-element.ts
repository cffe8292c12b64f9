// One element of an XML file with everything in it. Names are without namespace prefixes.

/** Names of elements, each within the one before. */
export type XmlPath = readonly [string, ...string[]];

export class XmlElement {
  readonly name: string;
  /** Counted from one. */
  readonly line: number;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[] = [];
  /** Without the white space around it. */
  text = '';
  /** Whether it had more content than was kept. */
  isCut = false;

  constructor(name: string, line: number, attributes: Readonly<Record<string, string>>) {
    this.name = name;
    this.line = line;
    this.attributes = attributes;
  }

  child(name: string): XmlElement | undefined {
    // A loop, since this runs for every field of every record.
    for (const child of this.children) if (child.name === name) return child;
    return undefined;
  }

  /** The first element with this path: each step looks only at the first child of that name. */
  find(...[first, ...rest]: XmlPath): XmlElement | undefined {
    let element = this.child(first);
    for (const name of rest) element = element?.child(name);
    return element;
  }

  all(name: string): XmlElement[] {
    return this.children.filter((child) => child.name === name);
  }

  /** The text of the element with this path; undefined if it is missing or empty. */
  textAt(...path: XmlPath): string | undefined {
    return this.find(...path)?.text || undefined;
  }
}
