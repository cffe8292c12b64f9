// Cuts texts of a file where only their beginning is wanted, never within a character.

/** For messages. */
export function shortened(text: string, lengthMax = 40): string {
  return text.length <= lengthMax ? text : `${cutText(text, lengthMax)}…`;
}

export function cutText(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : text.slice(0, lengthMax).toWellFormed();
}
