// A deployment of our own: a database, nodes on it, and a balancer in front of them.

import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { defined } from '../../../src/kit/assert.ts';
import { Keyring } from '../../../src/signing/keyring.ts';
import { programEnvironment } from '../../setup/node/program-environment.ts';
import type { RemoteTarget } from '../scenario.ts';
import { Balancer } from './balancer.ts';
import { FaultNode, findFreePort, type NodeOptions } from './fault-node.ts';

export interface DeploymentOptions extends Partial<NodeOptions> {
  readonly databaseUrl: string;
  /** The address of the database as nodes use it, if they have another way to it. */
  readonly nodeDatabaseUrl?: string;
  readonly nodes: number;
  /** The deployment whose key and credentials it shares. */
  readonly like?: LocalDeployment;
}

export interface CommandResult {
  readonly code: number;
  readonly output: string;
}

const adminProgram = fileURLToPath(new URL('../../../src/admin.ts', import.meta.url));

/** The program as in production, except that webhooks reach the receiver on this machine. */
const usualSettings = {
  NODE_ENV: 'production',
  ALLOW_IN_PRODUCTION: 'private-webhooks',
  LOG_LEVEL: 'silent',
  BUDGET_PER_MINUTE: '100000000',
  BUDGET_BURST: '100000000',
  TOKEN_FAILURES_PER_MINUTE: '1000000',
  SHUTDOWN_GRACE_MS: '200',
};

export class LocalDeployment {
  readonly nodes: readonly FaultNode[];
  readonly balancer: Balancer;
  readonly target: RemoteTarget;
  /** The settings of an operator's command. */
  readonly adminSettings: Readonly<Record<string, string>>;

  private constructor(parts: Pick<LocalDeployment, 'nodes' | 'balancer' | 'target' | 'adminSettings'>) {
    this.nodes = parts.nodes;
    this.balancer = parts.balancer;
    this.target = parts.target;
    this.adminSettings = parts.adminSettings;
  }

  static async start(options: DeploymentOptions): Promise<LocalDeployment> {
    const { databaseUrl, nodeDatabaseUrl = databaseUrl, program = 'clock', settings = {}, timeouts = {} } = options;
    const balancer = await Balancer.start();
    const credentials = options.like?.target ?? { clientId: 'prove', clientSecret: randomBytes(32).toString('hex') };
    const database = { ENCRYPTION_KEY: Keyring.generate(), ...options.like?.adminSettings, DATABASE_URL: databaseUrl };
    const nodeSettings = {
      ...usualSettings,
      ...database,
      DATABASE_URL: nodeDatabaseUrl,
      BASE_URL: balancer.address,
      BOOTSTRAP_CLIENT_ID: credentials.clientId,
      BOOTSTRAP_CLIENT_SECRET: credentials.clientSecret,
      WORK_THREADS: program === 'main' ? '1' : '0',
      ...settings,
    };
    const nodes: FaultNode[] = [];
    for (let index = 0; index < options.nodes; index++)
      nodes.push(new FaultNode(await findFreePort(), { program, timeouts, settings: nodeSettings }));
    const target = { ...credentials, address: balancer.address };
    const deployment = new LocalDeployment({ nodes, balancer, target, adminSettings: database });
    try {
      for (const node of nodes) node.launch();
      for (const node of nodes) await node.untilReady();
    } catch (error) {
      await deployment.stop();
      throw error;
    }
    balancer.ports.push(...nodes.map(({ port }) => port));
    return deployment;
  }

  nodeAt(index: number): FaultNode {
    return defined(this.nodes[index], 'the deployment has that many nodes');
  }

  /** Runs a command of the operator, as `npm run admin -- …` does. */
  admin(...args: readonly string[]): Promise<CommandResult> {
    return this.adminOn({}, ...args);
  }

  /** The same with other settings, such as another database. */
  adminOn(settings: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<CommandResult> {
    const env = { ...programEnvironment, ...this.adminSettings, ...settings };
    return new Promise((resolve) => {
      execFile(process.execPath, [adminProgram, ...args], { env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
        resolve({ code, output: stdout + stderr });
      });
    });
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.kill()));
    this.balancer.stop();
  }
}
