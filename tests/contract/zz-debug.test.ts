// Debug.
import { test } from 'vitest';
import { serviceForThisFile } from '../setup/service.ts';
import { layOutHierarchy } from '../setup/hierarchy.ts';
const service = serviceForThisFile();
test('x', async () => {
  const { admin } = service;
  try { await layOutHierarchy(admin); } catch (e) { console.log(String(e)); }
  const { body } = await admin.get('/v1/limits');
  for (const one of body.data) { console.log((await admin.get(`/v1/limits/${one.id}/status`)).text);
    console.log((await admin.get(`/v1/holdings?reporting_entity_id=${one.reporting_entity_id}`)).text.slice(0,900)); }
    console.log((await admin.get('/v1/calculation-rounds')).text);
});
