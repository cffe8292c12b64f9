// An RSA key of 4096 bits for tests only: making one takes seconds.

import { createPrivateKey, createPublicKey } from 'node:crypto';
import type { KeyPair } from './assertion.ts';

const der = [
  'MIIJQwIBADANBgkqhkiG9w0BAQEFAASCCS0wggkpAgEAAoICAQDnAbmx6V9i5njEmmpVaHf6M1PmbaEs1+GclrhaUFbNW25Rp4lqgOCdlBEtj1kKPIZDOeNK',
  'E5IS/kJmyexpE9WvJzxoH8lkqi4sQuLSWIfMowuJPDc6T67/I1+ifcOYeackXbTKuHzjZng4+hTkdup5z65kLUxQ0BOM29xp1asTaDJGXgg7n0LUBZP2Z+3m',
  'GysKQkThxWnVv0unMlKeQwIIdnTFnWg277g3P/ji6dJYRByqNyohRa2RSUGJ0+aPc64mXW2bNTMmZm3DpD6E3XJBjxk8rKcS1yK/sKYYuHMLfUJzEI1dRCwe',
  'LuQF+IMIduNyVxEPVaGWy6as9tYZ6C+zHT1eqRT4Nssh6fHDY1bXyIrl7Z8J3gQbOSgsys2w1m0ECfZbKcS5ZhY3daW53h6sIucXDpEEmKg3oQu9dG8dRFSH',
  'hVYTlXKRzb7XPewZyGDQdHSMTHGq4U7PlxZSKpwJsxQEp0eR6F/znOAlpGAflpusPWlacdqd1g6ykfdtIdiRgqYJ/5y6Kwjwgwf+y+J8d0CLebH7CqIYdN1i',
  '1nSJFngnK7jTHPuKE/nzv1ISWJYTUeyCUVJHDKgIg/v+PPphcsJp1p0xYqE8+ivdFKkZvTD0vp/HOOgWYtCkHh8xsKhGLrt586R0uf9rX9jupQhEjo0HESRZ',
  'p3Bud4vh+VAQ5QIDAQABAoICACncYi4fQC3H3fKimMpJWBR64KVNEHvz0upxVY7oKBKmkuMxHPGz0QA9KK+83kHAngPopYty6HGQqa++v5x6/6nxzjyAJhqb',
  'zCoxJLFBYbpvgVOpGcjzT57kZhwn9h3XTbaFVJG3xMngc8C/cLHF6s+QFuYIX1/1lNVdsh9rnMizhQjDWXKUdaO+LwXj53RfT/lX8OuIvpkBRVBTCi2rrt6h',
  'uJ9m2s+5uQQqD4vvGzLrhNZDkNreqYk+YSX8xDcSm2hQXeBWT6KRxSpCxSGGj4HZ0JTyJISBf8aE2FR6eD6IwFXhlfxksin2DVQXqIcMJENAC9NfjRyqYtXN',
  'FRc0wA+47oIR+i+cfcjzXptq3owc9VCrIQBHJedIxWn3CPeccKEzk7LZv8T/u96FnLYJpWJ1rhWIwUDEvML4+Sy0TmeMDw7iD5NB2Jx4k9y2GE85K37g8WUP',
  'fE80Ysy9uVmoCkCeQdfXSbKThBVrBHPWIBtEPdSrEPrr9eQ8GboYTm+98n6nxopsfcR85tlhbEvDbRT5or1vecWu/HvgUcQj+ovX0nr5wzxflFm6YNB90YfH',
  '1LHEGV+ez8Xlg1+Fic+xjBuDYB0luhSVLFI99eK4CpoZId6xB5ach/mHnpZJ0tc4JAZWtTQXMQ5myf9B7Osr8aCTFiwdvQyrWx8xNBy8BCiBAoIBAQD+hglC',
  '0U8uKa1lc5tc/NE6bHPwQzBSac7HZ+uSgX5cOp70dDqe6P3NGKCtKF3baOaYImWjAIXvpuJadzjtsDksaB/lux0mdoTCugJJz7gkcGxQ8y0hSLmcUaubQ9um',
  'r4jxc7fpYlS72060UCjfN2TrCy6GYV1BHoPxdSlxl7Szk29ffljJ/MeVCNwoB9tkFt5oGnETV2w23p7MbakpYgmEFxiJ6EpyPTAIPapynnCZeJqfgQAg1T4a',
  'AWb++Y86ApacAkzyD5hO0dUylz2qXTwP+l4NDM4AD5lgDFLmZzpAKrTkmpbMVktCrFqoHRSykImEwVM7CysaVS+QSn/eqkLZAoIBAQDoWMRcFZUO5Rwy7yLn',
  '30Oc1R6Z5/oiiNQwovc60jgNNEGkMK3VNqPlif/x5NYNrEjhwcdCjDyn2e9SN54wdE9jvqR5RMvO3m0SQSk9HvCRg79axO2trIyLZBFvJSpZas6xMMQ5a/em',
  'pAJ7MI/QMnFJKKhKWmBqDnDvxEFuIwR46eUgtwkt3EiUjH1e7kOoylC+XOAmkJh3zT47adolH/QCgcMYJySsG4g0CJ6EykY7svM0YOi0xQRZqV4oonB9wXK6',
  'kCku5SbuttgUqY+CJupxi/RbYwpgzElI83DaZkomhr12t1/pXx0jraSYFe6fVIo4TDGjt95wqCrkbMxqeN7tAoIBAQDof9QR31VvG88zL2mqhZ8yuUMnJJkN',
  'j22+JaXBTNz6runo8AtkgfzlzytnQcqK1MZgDnu9bIrsogt/DA1KwoFXmT4aAtTb/8PChVv1xPO3BaNMRvbgwqgarVgPGuuY1hxIQ6aqYJJ6kBjTCa5sSRO8',
  'yZgUVPh0tcVdWeMjyqrcpz9DggzlZi2CbHd/cb3tLh64Bf9o5aEKdk2k/D9ceButN9PIlhL7S/2GaZ472ZON/edw8MwHMgPqiYFmRN2a5iZiGI/lRm2hAni4',
  'IAPKjiSBi/lB/oJm99jpLhjEM2O4ncpkUPqTafiRzRN7IiV4ACQ+ysKW2tri0RIDwqoP4oPxAoIBADAl/QMMIeiFR/OyJKyiUrOUYpQIQ4iWjEpL6ynQWHc8',
  'BgJNaCiP+yTdFSH+hvEsa6oE6xL6VrN98R87kVd/Mth7sD/FJusGotmukSouWDH/eE8KEir0X+ee5BIBRKZlANItReyUWCy7PhxjMto1Kc68UyudUO+JcJPv',
  'OpPlQ87+wVGnPIq5ZH0MJArhGzpGOrdILdcwDbh92tCbHe6lkX5Xf6NosSvNRMtrodXoyOckLUwEbRTQ4xblhzKqft9AkFLi/vXN3OSJFXwqqyeQgvLmysuJ',
  'WaQ3kVRBxngrzF/xeh+43nJRGIvFNx+hI+L2tPH3sC26M6lq4ACYH0BNLf0CggEBAM+IznR8t6PtIEgbB7fcsNx9hEDRQFUk+/xiTpAWv0ozCG+75O22b3wo',
  'BKO2chdrLwVVi18Au7Y7U4fOv3pZQj2uPu85JTtsWjcnPHokx++/fxvKos8JkOr6gjKL8glJKMkhiuHYOQ0T3WuLbX7/1jsTl8O17GTY9hHILaN2i5XxjdsQ',
  'kSiXT1plghh04W/AANaY7w2RiAiu5F6Zrnr79HDbKHV3KDwLSIHZhoAaDmqo0FY9TnGGq/aBZSrEoC9cglaStuf/MpE5aOsxyvhy1nar30O6DrIyOH0/mtKu',
  'R1rMqMpRTKYhEJ1oDxWSi3c9JD++h0Jd7YKvZRIIxXAkrGo=',
].join('');

const privateKey = createPrivateKey({ key: Buffer.from(der, 'base64'), format: 'der', type: 'pkcs8' });

export const longRsaPair: KeyPair = { privateKey, publicKey: createPublicKey(privateKey) };
