import { beforeAll, expect, test } from 'vitest';
import { checkedNames, toldLines } from '../setup/explained-figure.ts';
import { ReferenceClient } from '../setup/reference-client.ts';
import { readReferencePortfolio } from '../setup/reference-portfolio.ts';
import { makeIndex } from '../setup/published-figure.ts';
import { serviceForThisFile } from '../setup/service.ts';
import { writeFileSync } from 'node:fs';

const service = serviceForThisFile();
const { facts } = readReferencePortfolio();
let client: ReferenceClient;
let index = '';
beforeAll(async () => {
  client = await ReferenceClient.book(service.admin, facts);
  index = await makeIndex(service.admin, facts);
});

test('try', async () => {
  const out: string[] = [];
  const go = async (q: string, full = true) => {
    let qq = q.replace(/\{(.*?)\}/g, (_, n) => client.id(n));
    const reply = await service.admin.get(`/v1/explain?reporting_entity_id=${client.id('all')}&${qq}`);
    out.push(q + ' ' + reply.status);
    if (reply.status !== 200) { out.push(reply.text); return; }
    const e = client.named(reply.body).explanation;
    try { checkedNames(e); } catch (x) { out.push(String(x)); }
    out.push(...(full ? [JSON.stringify(e, null, 1)] : toldLines(e).slice(0, 40)));
  };
  const day = 'as_of=2025-06-30';
  await go(`figure=market_value&${day}&instrument_id={share}`);
  for (const f of ['market_value','cost_basis','unrealised_pnl','share']) await go(`figure=${f}&${day}`, false);
  for (const f of ['market_value','cost_basis','unrealised_pnl','share','quantity','accrued_interest','valuation']) await go(`figure=${f}&${day}&instrument_id={bond}`, false);
  await go(`figure=quantity&${day}&instrument_id=cash:EUR`);
  await go(`figure=market_value&${day}&instrument_id={bond}&currency=USD`, false);
  for (const f of ['market_value','cost_basis','unrealised_pnl','unit_cost','quantity']) await go(`figure=${f}&${day}&instrument_id={share}&lot_id=upload:2025-01-31`, false);
  for (const f of ['daily_twr','daily_return','net_cash_flow']) await go(`figure=${f}&as_of=2025-03-31`, false);
  for (const f of ['daily_twr','daily_return','net_cash_flow','income','fees']) await go(`figure=${f}&as_of=2025-05-15&instrument_id={share}`, false);
  const win = 'start=2025-03-01&end=2026-06-30';
  for (const f of ['cumulative_twr','annualised_twr','volatility','max_drawdown','contribution','money_weighted_return','net_cash_flow','income','fees','gain']) await go(`figure=${f}&${win}`, false);
  await go(`figure=daily_twr&as_of=2025-06-30&benchmark=${index}`);
  await go(`figure=excess_return&${win}&benchmark=${index}`, false);
  for (const f of ['nav','drawdowns','distributions','commitment','called','recallable','uncalled','tvpi','irr']) { await go(`figure=${f}&as_of=2026-09-30`, false); await go(`figure=${f}&as_of=2026-09-30&instrument_id={meridian}`, false); }
  for (const f of ['ks_pme','ln_pme_irr','ln_pme_value','direct_alpha']) { await go(`figure=${f}&as_of=2026-09-30&index=${index}`, false); }
  for (const f of ['realised_proceeds','realised_cost','realised_gain','price_part','currency_part']) { await go(`figure=${f}&start=2025-01-01&end=2026-09-30`, false); await go(`figure=${f}&transaction_id={row 18}`, false); }
  await go('figure=gain_classification&transaction_id={row 15}', false);
  writeFileSync('/tmp/x/out.txt', out.join('\n'));
});
