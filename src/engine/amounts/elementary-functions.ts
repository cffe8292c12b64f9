// Computes exponential and logarithm with + − × ÷ alone, so that a rate has the same bits on every machine and in every release
// of the runtime (the language leaves Math.exp and Math.log to the platform).

/** ln 2 in two parts. The first ends in 21 zero bits, so that its product with a whole number is exact. */
const ln2High = 0.69314718036912381649;
const ln2Low = 1.90821492927058770002e-10;

/** From 2^−1074 to 2^1023, each exact. */
const powersOfTwo = new Float64Array(2_098);
const exponentMin = -1_074;
const exponentMax = 1_023;
for (let power = 1, index = -exponentMin; index < powersOfTwo.length; power *= 2, index++) powersOfTwo[index] = power;
for (let power = 1, index = -exponentMin; index >= 0; power /= 2, index--) powersOfTwo[index] = power;

/** value × 2^exponent. */
function scaled(value: number, exponent: number): number {
  if (exponent > exponentMax) return value * 2 * powersOfTwo[exponent - 1 - exponentMin]!;
  return value * powersOfTwo[exponent - exponentMin]!;
}

/**
 * e^r − 1 for |r| ≤ ln 2 / 2, as 2r / (R − r) with R = r·coth(r / 2) = 2 + r²/6 − r⁴/360 + … (Bernoulli numbers; the first
 * omitted term is below 2^−56 of the sum). Written as r + r·c / (2 − c), which rounds last.
 */
function smallExponentialMinusOne(r: number): number {
  const z = r * r;
  const z2 = z * z;
  const near = 1 / 6 - z * (1 / 360) + z2 * (1 / 15_120 - z * (1 / 604_800));
  const far = 1 / 23_950_080 - z * (691 / 653_837_184_000);
  const c = r - z * (near + z2 * z2 * far);
  return r + (r * c) / (2 - c);
}

const exponentialOverflow = 709.782712893384;
const exponentialUnderflow = -744.4400719213812;

/** e^x: Infinity on overflow, 0 on underflow. */
export function exponential(x: number): number {
  if (x > exponentialOverflow) return Infinity;
  if (x < exponentialUnderflow) return 0;
  const halvings = Math.floor(x * Math.LOG2E + 0.5);
  const part = smallExponentialMinusOne(x - halvings * ln2High - halvings * ln2Low);
  return scaled(1 + part, halvings);
}

/** e^x − 1, accurate near 0 too. */
export function exponentialMinusOne(x: number): number {
  if (x > exponentialOverflow) return Infinity;
  if (x < -40) return -1;
  const halvings = Math.floor(x * Math.LOG2E + 0.5);
  if (halvings === 0) return smallExponentialMinusOne(x);
  const part = smallExponentialMinusOne(x - halvings * ln2High - halvings * ln2Low);
  if (halvings > 60) return scaled(1 + part, halvings);
  const power = powersOfTwo[halvings - exponentMin]!;
  return power - 1 + power * part;
}

/**
 * ln(1 + f) + rest for −0.3 < f < 0.42, as 2·(s + s³/3 + s⁵/5 + …) with s = f / (2 + f); the first omitted term is below 2^−60 of
 * the sum. Written as f − (f²/2 − s·(f²/2 + …)), which rounds last.
 */
function smallLogarithm(f: number, rest: number): number {
  const s = f / (2 + f);
  const z = s * s;
  let series = 2 / 21;
  series = series * z + 2 / 19;
  series = series * z + 2 / 17;
  series = series * z + 2 / 15;
  series = series * z + 2 / 13;
  series = series * z + 2 / 11;
  series = series * z + 2 / 9;
  series = series * z + 2 / 7;
  series = series * z + 2 / 5;
  series = series * z + 2 / 3;
  const half = (f * f) / 2;
  return f - (half - (s * (half + z * series) + rest));
}

const bits = new DataView(new ArrayBuffer(8));

/** ln x for a finite x > 0. */
export function logarithm(x: number): number {
  if (x < 2.3e-308) return logarithm(x * 18_014_398_509_481_984) - 54 * Math.LN2; // subnormal: its exponent field is empty
  bits.setFloat64(0, x);
  let doublings = ((bits.getUint32(0) >>> 20) & 0x7ff) - 1_023;
  let mantissa = x * powersOfTwo[-doublings - exponentMin]!;
  if (mantissa > Math.SQRT2) {
    mantissa /= 2;
    doublings++;
  }
  return doublings * ln2High + smallLogarithm(mantissa - 1, doublings * ln2Low);
}

/** ln(1 + x) for a finite x > −1, accurate near 0 too. */
export function logarithmOfOnePlus(x: number): number {
  return x > -0.29 && x < 0.41 ? smallLogarithm(x, 0) : logarithm(1 + x);
}
