// Tests the mail of an invite: its text in both forms, and that no name can change its content.

import { describe, expect, test } from 'vitest';
import { composeInviteMail, type InviteMail } from './invite-mail.ts';
import { safeDisplayName } from './display-name.ts';

const link = 'https://wealth.example/invites/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
const input: InviteMail = {
  inviter: 'Nils Berg',
  clientName: 'Lindqvist Family',
  link,
  expiresAt: Date.parse('2026-11-22T12:00:00Z'),
  timeZone: 'Europe/Zurich',
};

test('the text says who invites, to which client, until when, and what to do if the mail is unexpected', () => {
  const { subject, text } = composeInviteMail(input);
  expect(subject).toBe('Invitation to Lindqvist Family');
  expect(text).toBe(`Nils Berg invites you to Lindqvist Family on Holdfast.

To accept, open this link and sign in:

${link}

The link is only for you. It works once, until Sunday, 22 November 2026 at 13:00 CET.

If you did not expect this invitation, ignore this message: nothing happens unless you accept. Do not forward it: anyone with the link can see that you were invited.
`);
});

test('the HTML has the same text, declares its language, and loads nothing', () => {
  const { text, html } = composeInviteMail(input);
  const visibleText = html.replace(/<title>.*<\/title>|<[^>]+>/g, '');
  for (const sentence of text.trim().split('\n\n')) expect(visibleText).toContain(sentence);
  expect(html).toMatch(/^<!doctype html>\n<html lang="en" dir="ltr">/);
  expect(html).not.toMatch(/<(img|script|link|iframe|style|svg|object)\b|\bsrc=|url\(|@import/i);
  expect(html.match(/href="[^"]*"/g)).toEqual([`href="${link}"`, `href="${link}"`]);
});

const hostile = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'; DROP TABLE mail; --",
  '</title></bdi></p><a href="https://evil.example">Sign in</a>',
  '&lt;b&gt; &amp;',
  'A\r\nBcc: eve@evil.example\r\n\r\nAnother body',
  'Line\u2028separators\u2029and\0nothing',
  'right\u202Eot\u202D left',
];

describe.each(hostile)('the name %j', (name) => {
  const { subject, text, html } = composeInviteMail({ ...input, inviter: name, clientName: name });

  test('adds no line and does not change the text direction', () => {
    expect(subject).not.toMatch(/[\r\n\0\u2028\u2029\u202A-\u202E]/);
    expect(text.split('\n\n')).toHaveLength(5);
    expect(text).not.toMatch(/[\r\0\u2028\u2029\u202A-\u202E]/);
  });

  test('adds no tag and no link', () => {
    const usual = composeInviteMail({ ...input, inviter: 'A', clientName: 'B' }).html;
    expect(html.match(/<[^>]*>/g)).toEqual(usual.match(/<[^>]*>/g));
  });

  test('reads the same in HTML and in text', () => {
    const words: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };
    const visibleText = html
      .replace(/<[^>]*>/g, '')
      .replace(/&(lt|gt|quot|#39|amp);/g, (_all, word: string) => words[word]!);
    expect(visibleText).toContain(text.split('\n\n')[0]);
  });
});

test.each([
  ['Visit https://evil.example/now', 'Visit https:\u2060/\u2060/\u2060evil.\u2060example/\u2060now'],
  ['evil.example', 'evil.\u2060example'],
  ['eve@evil.example', 'eve@\u2060evil.\u2060example'],
  ['Dr. Åsa Öberg, Jr.', 'Dr. Åsa Öberg, Jr.'],
  ['  two \t spaces ', 'two spaces'],
  ['A\u030A', 'Å'],
  ['فاطمه\u200Cها', 'فاطمه\u200Cها'],
  ['x'.repeat(101), `${'x'.repeat(99)}…`],
  ['👨‍👩‍👧'.repeat(100), '👨‍👩‍👧'.repeat(100)],
])('%j is shown as %j, so that mail programs make no link of it', (name, shown) => {
  expect(safeDisplayName(name)).toBe(shown);
});
