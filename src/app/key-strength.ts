// Recognises encryption keys that nobody drew at random: repeated or counted bytes, or text.

/** Of 32 random bytes, fewer than this are distinct once in thirty billion times. */
const distinctMin = 16;

function bytesOfKey(text: string): Buffer {
  return Buffer.from(text, /^[\da-f]{64}$/i.test(text) ? 'hex' : 'base64');
}

function isRepeated(bytes: Buffer): boolean {
  const half = bytes.length / 2;
  return bytes.subarray(0, half).equals(bytes.subarray(half)) || new Set(bytes).size < distinctMin;
}

/** Steps of the same few sizes from byte to byte: 00 01 02 …, ff ee dd …. */
function isCounted(bytes: Buffer): boolean {
  const steps = new Set(Array.from(bytes.subarray(1), (byte, index) => (byte - bytes.readUInt8(index)) & 0xff));
  return steps.size < distinctMin / 2;
}

function isPrintable(bytes: Buffer): boolean {
  return bytes.every((byte) => byte >= 0x20 && byte <= 0x7e);
}

/** Expects a key in one of its two forms. */
export function isGuessableKey(text: string): boolean {
  const bytes = bytesOfKey(text);
  return isRepeated(bytes) || isCounted(bytes) || isPrintable(bytes);
}
