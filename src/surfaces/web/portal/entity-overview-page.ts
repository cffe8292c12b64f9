// The overview of a reporting entity: what it is worth, how that came about, where it is invested, and what needs a look.

import { figuresList } from '../parts/parts.ts';
import { entityPage } from './entity-page.ts';
import { entityTexts } from './entity-texts.ts';

const showEntity = entityPage({
  id: 'entity-overview',
  tab: 'overview',
  summary: 'The value of a reporting entity, its changes and what it is invested in',
  controls: ['period', 'currency'],
  async read(view) {
    const { api, formats, reader } = view.page;
    const report = await api.get('/v1/performance', { ...view.windowQuery, detail: 'summary' });
    const { currency, end, data } = report;
    const explain = view.explainHref('market_value', { as_of: end, currency: view.currency });
    const figure = {
      title: entityTexts[reader.language].overview,
      value: formats.money(data[0].end_market_value, currency),
      ...(explain === undefined ? {} : { explain }),
    };
    return { main: figuresList([figure]) };
  },
});

export const entityOverviewPaths = [showEntity];
