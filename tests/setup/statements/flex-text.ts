// Writes the XML of Interactive Brokers Flex queries.

export type FlexAttributes = Readonly<Record<string, string>>;

export function flexRow(name: string, attributes: FlexAttributes): string {
  const texts = Object.entries(attributes).map(
    ([key, value]) => `${key}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`,
  );
  return `<${name} ${texts.join(' ')} />`;
}

/** The rows of each section, by its name. */
export function flexStatement(sections: Readonly<Record<string, readonly string[]>>, accountId = 'U1234567'): string {
  const texts = Object.entries(sections).map(([name, rows]) => `<${name}>\n${rows.join('\n')}\n</${name}>`);
  return `<FlexStatement accountId="${accountId}" fromDate="20240101" toDate="20240329" period="Custom" whenGenerated="20240330;120000">
${texts.join('\n')}
</FlexStatement>`;
}

export function flexDocument(statements: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<FlexQueryResponse queryName="activity" type="AF">
<FlexStatements count="${statements.length}">
${statements.join('\n')}
</FlexStatements>
</FlexQueryResponse>
`;
}

export const purchaseRow: FlexAttributes = {
  accountId: 'U1234567',
  currency: 'USD',
  assetCategory: 'STK',
  symbol: 'AAPL',
  description: 'APPLE INC',
  conid: '265598',
  isin: 'US0378331005',
  listingExchange: 'NASDAQ',
  multiplier: '1',
  tradeID: '5001',
  tradeDate: '20240110',
  settleDateTarget: '20240112',
  transactionType: 'ExchTrade',
  quantity: '100',
  tradePrice: '150',
  proceeds: '-15000',
  taxes: '0',
  ibCommission: '-1.5',
  ibCommissionCurrency: 'USD',
  netCash: '-15001.5',
  buySell: 'BUY',
  levelOfDetail: 'EXECUTION',
};
