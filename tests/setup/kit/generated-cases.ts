// Generated cases are the same in every run, so that nothing fails by chance and a failure can be repeated. `SEED=7 npm test` tries others.

import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env['SEED'] ?? 20_261_118) });
