// Which internet addresses are public: what anybody may be asked to connect to. Everything else is refused by not being listed,
// so that a range that is new to us is refused too. Knows no names.

import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** All that is handed out for global unicast (RFC 4291, section 2.4, IANA's registry). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
/** NAT64's well-known prefix (RFC 6052): the last 32 bits are the address of the other side. */
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
/** Looks public and is the host's own: Azure answers virtual machines with their settings here. */
const hostServices = new Set(['168.63.129.16']);

/** False for what is no address at all, too. */
export function isPublicAddress(text: string): boolean {
  // Shortened, octal and hexadecimal forms are read differently in different places.
  if (isIP(text) === 0) return false;
  const address = ipaddr.parse(text);
  return address instanceof ipaddr.IPv4 ? isPublicIpv4(address) : isPublicIpv6(address);
}

function isPublicIpv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !hostServices.has(address.toString());
}

/**
 * An IPv6-only network reaches every IPv4 host through NAT64, so there the inner address decides. Other ways to write an
 * IPv4 address into an IPv6 one (mapped, compatible, 6to4, Teredo) nobody needs, and they are refused with any inside.
 */
function isPublicIpv6(address: ipaddr.IPv6): boolean {
  if (address.zoneId !== undefined) return false;
  if (address.match(nat64)) return isPublicIpv4(new ipaddr.IPv4(address.toByteArray().slice(12)));
  return address.range() === 'unicast' && address.match(globalUnicast);
}
