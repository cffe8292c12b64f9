// Seeds one side of a comparison with the fixture of its own checkout, so that each release writes the tables it knows. The data is the
// same: the fixture computes it from the sizes.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [root = '', connection = '', sizes = ''] = process.argv.slice(2);
const { seedReports } = await import(pathToFileURL(join(root, 'bench/reports/fixture.ts')).href);
const { token, entities, days } = await seedReports(JSON.parse(connection), JSON.parse(sizes));
process.send!({ token, entities: [...entities], days }, () => process.exit());
