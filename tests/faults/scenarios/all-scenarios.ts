// All scenarios, in the order in which they run.

import type { Scenario } from '../scenario.ts';
import { bookings } from './bookings.ts';
import { clockJumps } from './clock-jumps.ts';
import { databaseKills } from './database-kills.ts';
import { disks } from './disks.ts';
import { networks } from './networks.ts';
import { nodeKills } from './node-kills.ts';
import { receiverOutage } from './receiver-outage.ts';
import { restoreDrill } from './restore-drill.ts';
import { rollingRestarts } from './rolling-restarts.ts';
import { neighbourStorm } from './storm.ts';

export const allScenarios: readonly Scenario[] = [
  bookings,
  nodeKills,
  databaseKills,
  networks,
  disks,
  clockJumps,
  rollingRestarts,
  receiverOutage,
  restoreDrill,
  neighbourStorm,
];
