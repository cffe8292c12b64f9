// Introduces the groups of the reference that are no declared resource: reports, and what is about the service itself.

import { introductionText, type Resource } from '../../../kit/resource.ts';

/** By the group's name in declarations. */
const introductions: Readonly<Record<string, string>> = {
  tokens:
    'How programs get access: an assertion that they sign with a registered key (flows A and B), or the id and secret of an application (flow C), is exchanged for an access token that is valid for one hour. Get one at the start, use it for every request, and get another when it has expired.',
  operations:
    'For the machines that run the service: whether the process lives, whether it can take requests, and figures for Prometheus. They need no token, and say nothing about clients.',
  reference:
    'This reference itself: as a page for people, as an OpenAPI 3.1 document for generators and linters, and the list of all errors. All parts of the page come from the service.',
  'import-work':
    'Large files are checked, booked and undone in pieces. These are the pieces that are under way, for a progress bar or to see what a busy workspace is doing.',
  holdings:
    'What a reporting entity holds at the end of a day, and what it is worth in its currency. The report to begin with: every row says its quantity, price, the day of that price, cost and gain.',
  'instrument-holdings':
    'What a reporting entity holds today, position by position, with every open lot: when it was acquired, for how much, and what it is worth. For tax and for checking a sale before it is made.',
  lots: 'The open lots behind the holdings: each purchase, or part of one, that has not been sold, with its cost and its unrealised gain. Add them up and you get the holding.',
  allocation:
    'How the wealth of a reporting entity is divided: by class, currency, country, custodian or any other axis, and by two axes at once for a heat map. Shares add up to 1.',
  'realised-gains':
    'What was gained or lost by everything that was sold, redeemed or settled in a range of days, lot by lot and divided into price and currency: the basis of a tax report.',
  activity:
    'What happened in a reporting entity: its transactions of a range of days in one list, newest first, as a person would read a bank statement over all banks.',
  performance:
    'What the wealth of a reporting entity has earned: time-weighted returns day by day and for the whole window, with flows, contribution, risk and money-weighted return, for the whole and for every segment of an axis.',
  'summarized-performance':
    'The headline figures of a window in one answer: value at both ends, flows, return, risk, income and fees, and what each top-level class contributed.',
  'private-markets':
    'Funds that call and distribute money: commitment, calls, distributions, net asset value, multiples (TVPI, DPI, RVPI) and the internal rate of return, for the whole and for each fund.',
  explanations:
    'Where a figure comes from. Any figure of any report can be taken apart into the bookings, prices and rates it was computed from, with the formulas, to the last digit.',
  'data-quality':
    'What is wrong or missing in the data behind the reports: old prices, missing rates, sold units that were never bought, and what to do about each. Look here before you trust a new client’s figures.',
  restatements:
    'Why a figure is another than the one that was reported before: the records that were added, corrected or deleted between two moments, and the positions that differ.',
  reconciliations:
    'What custodians state beside what the ledger says, line by line. Differences that remain are kept as breaks, which people work through.',
  diagnostics:
    'What needs attention in the workspace: webhooks that fail or are disabled, with counts. A good request for a daily check.',
  'webhook-keys':
    'The public keys with which receivers verify deliveries of the scheme `standard`. Fetch them, keep them, and fetch them again when a signature does not verify.',
  'sandbox-personas':
    'The kinds of clients that the sandbox makes for trials and tests, each with data that exercises another part of the service. Choose one here, then make a client by it. In the sandbox environment only.',
  me: 'Who the caller is: the workspace, the environment, the rights and the client that a token is bound to. The first request to send with a new token, and the one to look at when others are refused.',
  requests:
    'The requests that were made to this workspace, with their answers’ status and duration: to find the request that a log line or a colleague asks about.',
  usage: 'How much of the service a workspace uses: requests by hour or day and by caller, beside its budget.',
};

/** What a group of operations is about. */
export function groupIntroduction(group: string, resource: Resource | undefined): string | undefined {
  return introductions[group] ?? (resource && introductionText(resource));
}
