// Makes texts own their characters. A text that was cut from a larger one keeps all of it in memory, so whatever outlives the piece of
// a file that it was read from is copied first. Keys of maps and sets need no copy.

/** The same text, without what it was cut from or joined of. */
export function ownText<Text extends string>(text: Text): Text {
  return ` ${text}`.slice(1) as Text;
}

/** A copy of plain data whose texts are its own. Members that are undefined are left out. */
export function ownData<T extends object>(data: T): T {
  return JSON.parse(JSON.stringify(data));
}
