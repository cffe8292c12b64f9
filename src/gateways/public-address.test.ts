// Checks every private and reserved range, and public neighbours of each.

import { describe, expect, test } from 'vitest';
import { isPublicAddress } from './public-address.ts';

const refused: readonly (readonly [range: string, ...addresses: string[]])[] = [
  ['this network', '0.0.0.0', '0.1.2.3'],
  ['private', '10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255'],
  ['shared by carriers', '100.64.0.1', '100.127.255.255'],
  ['loopback', '127.0.0.1', '127.255.255.254'],
  ['link-local', '169.254.0.1', '169.254.255.255'],
  ['protocol assignments', '192.0.0.1', '192.0.0.8', '192.0.0.170'],
  ['documentation', '192.0.2.1', '198.51.100.1', '203.0.113.255'],
  ['relays of 6to4', '192.88.99.1'],
  ['AS112 and AMT', '192.31.196.1', '192.52.193.1', '192.175.48.1'],
  ['benchmarks', '198.18.0.1', '198.19.255.255'],
  ['multicast', '224.0.0.1', '239.255.255.255'],
  ['reserved', '240.0.0.1', '255.255.255.254'],
  ['broadcast', '255.255.255.255'],
  ['metadata of clouds', '169.254.169.254', '100.100.100.200', '192.0.0.192', '168.63.129.16', 'fd00:ec2::254'],
  ['unspecified', '::'],
  ['loopback', '::1', '0:0:0:0:0:0:0:1'],
  ['compatible with IPv4', '::127.0.0.1', '::8.8.8.8', '::a00:1'],
  ['mapped', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:a9fe:a9fe', '::ffff:8.8.8.8', '::ffff:0:127.0.0.1'],
  ['NAT64 of a private one', '64:ff9b::127.0.0.1', '64:ff9b::10.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b::0.0.0.0'],
  ['local NAT64', '64:ff9b:1::1', '64:ff9b:1::808:808'],
  ['discard', '100::1'],
  ['Teredo', '2001::1', '2001:0:808:808::1'],
  ['benchmarks, ORCHID, protocol assignments', '2001:2::1', '2001:10::1', '2001:20::1', '2001:1::1'],
  ['documentation', '2001:db8::1', '3fff::1'],
  ['6to4', '2002::1', '2002:7f00:1::', '2002:a9fe:a9fe::1', '2002:808:808::1'],
  ['AS112', '2001:4:112::1', '2620:4f:8000::1'],
  ['segment routing', '5f00::1'],
  ['unique local', 'fc00::1', 'fd12:3456:789a::1'],
  ['link-local', 'fe80::1', 'fe80::1%eth0', 'febf::1'],
  ['site-local', 'fec0::1'],
  ['multicast', 'ff02::1', 'ff0e::1'],
  ['not handed out', '1::1', '4000::1', '8000::1', 'e000::1'],
  ['a zone of our own', '2606:4700::1%eth0'],
  ['no address', '', 'localhost', '127.1', '1.2.3', '1.2.3.4.5', '256.1.1.1', '::g', '8.8.8.8:80', '[2606:4700::1]'],
];

const allowed = [
  ['9.255.255.255', '11.0.0.0', '8.8.8.8', '1.1.1.1', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.1'],
  [
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '192.169.0.0',
    '223.255.255.255',
  ],
  ['168.63.129.15', '168.63.129.17', '198.17.255.255', '198.20.0.0'],
  ['2606:4700::1', '2a00:1450:4001:81b::200e', '2001:4860:4860::8888', '3ffe::1', '64:ff9b::8.8.8.8'],
].flat();

describe('a private or reserved address', () => {
  test.each(refused.flatMap(([range, ...addresses]) => addresses.map((address) => [range, address])))(
    '%s: %s',
    (_range, address) => {
      expect(isPublicAddress(address)).toBe(false);
    },
  );
});

test.each(allowed)('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test('an IPv4 address in hexadecimal or octal form counts as its decimal form', () => {
  expect(['0x7f.0.0.1', '0177.0.0.1', '2130706433', '0x7f000001'].map(isPublicAddress)).toEqual(Array(4).fill(false));
});
