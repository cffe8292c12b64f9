// Which types of instruments are bonds: they are traded by nominal value and quoted for 100 of it.

const bondTypes: readonly string[] = ['bond-instrument', 'index-linked-bond-instrument', 'zero-coupon-bond-instrument'];

export function isBondType(type: string | null): boolean {
  return type !== null && bondTypes.includes(type);
}
