// Brings node_modules in line with package-lock.json before npm starts or tests the service. Plain CommonJS without packages, so that
// it runs on any Node.js from version 12.

'use strict';

const { spawn, spawnSync } = require('child_process');
const { createHash } = require('crypto');
const fs = require('fs');
const path = require('path');
const { libc, listMissing, listRuntimes } = require('./missing-packages.cjs');
const { endTurn, takeTurn } = require('./install-lock.cjs');

const runtimeMajor = 26;
const root = path.dirname(path.dirname(__dirname));
const modules = path.join(root, 'node_modules');
const lockfile = path.join(root, 'package-lock.json');
const installedLockfile = path.join(modules, '.package-lock.json');
const stampFile = path.join(modules, '.prepared');
const runtime = path.join(modules, '.bin', 'node');
const turn = path.join(root, '.prepare-turn');

const needsDev = process.env.npm_lifecycle_event === 'pretest';

class Failure extends Error {
  constructor(message, exitCode) {
    super(message);
    this.exitCode = exitCode || 1;
  }
}

async function main() {
  if (!fs.existsSync(lockfile)) throw new Failure(`${lockfile} is missing: this is no whole copy of the service.`);
  if (isStamped()) return;
  const hasTurn = await takeTurn(turn);
  if (isStamped()) return;
  if (!isInstalledByHand()) {
    if (!hasTurn) throw new Failure(`Packages are missing in ${modules}, and this user cannot write to ${root}.`);
    await install();
  }
  checkRuntime();
  writeStamp();
}

function hashOf(file) {
  return createHash('sha256').update(fs.readFileSync(file)).digest('hex');
}

function stampFor(scope) {
  return [hashOf(lockfile), hashOf(installedLockfile), process.platform, process.arch, scope].join(' ');
}

function isStamped() {
  try {
    const stamp = fs.readFileSync(stampFile, 'utf8');
    const isWhole = stamp === stampFor('all') || (!needsDev && stamp === stampFor('without dev'));
    return isWhole && (fs.existsSync(runtime) || isNewEnough(process.version));
  } catch {
    return false;
  }
}

function writeStamp() {
  const scope = listMissing(root, { dev: true, optional: false }).length === 0 ? 'all' : 'without dev';
  try {
    fs.writeFileSync(stampFile, stampFor(scope));
  } catch {
    // If node_modules is read-only, it is checked again next time.
  }
}

/** npm writes its own lockfile into node_modules last, so without one an install was cut short. */
function isInstalledByHand() {
  return fs.existsSync(installedLockfile) && listMissing(root, { dev: needsDev, optional: true }).length === 0;
}

function isNewEnough(version) {
  return Number(/^v?(\d+)/.exec(version)[1]) >= runtimeMajor;
}

/** npm before 11 takes the link away again with the runtimes of other platforms, which it tries and gives up. */
function putRuntimeLink() {
  const fitting = listRuntimes(root).find(({ suits, program }) => suits && fs.existsSync(program));
  if (!fitting || fs.existsSync(runtime)) return;
  fs.mkdirSync(path.dirname(runtime), { recursive: true });
  fs.symlinkSync(path.relative(path.dirname(runtime), fitting.program), runtime);
}

function starts(node) {
  return spawnSync(node, ['--version']).status === 0;
}

/** npm finds node_modules/.bin before the machine's own node, so a runtime that does not start must not be there. */
function checkRuntime() {
  putRuntimeLink();
  if (starts(runtime)) return;
  if (!isNewEnough(process.version)) throw unfitMachine();
  if (fs.existsSync(runtime)) fs.unlinkSync(runtime);
}

function unfitMachine() {
  const platforms = listRuntimes(root).map(({ platform }) => platform);
  return new Failure(
    `The packages bring a Node.js for ${platforms.join(', ')}, none that starts on this machine ` +
      `(${process.platform}-${process.arch}, ${libc()}). Install Node.js ${runtimeMajor} or later; this is ${process.version}.`,
  );
}

async function install() {
  refuseOldNpm();
  if (!listRuntimes(root).some(({ suits }) => suits) && !isNewEnough(process.version)) throw unfitMachine();
  console.log('Installing the packages that package-lock.json names ...');
  const scope = ['--include=optional'].concat(needsDev ? ['--include=dev'] : []);
  await runNpm(ownNode(), ['ci'].concat(scope));
  putRuntimeLink();
  // npm skips optional packages that need a newer Node.js than its own, such as the runtime that was just installed.
  const isWhole = listMissing(root, { dev: needsDev, optional: true }).length === 0;
  if (!isWhole && starts(runtime)) await runNpm(runtime, ['install', '--no-save'].concat(scope));
  const missing = listMissing(root, { dev: needsDev, optional: false });
  if (missing.length > 0) throw new Failure(`npm ci did not install ${missing.join(', ')}.`);
}

function refuseOldNpm() {
  const found = /npm\/(\d+)\S*/.exec(process.env.npm_config_user_agent || '');
  if (!found || Number(found[1]) >= 7) return;
  throw new Failure(`package-lock.json needs npm 7 or later, and this is ${found[0]}: npm install --global npm@8`);
}

/** Rather not the node in node_modules, which npm is about to replace. */
function ownNode() {
  const nodes = [process.env.npm_node_execpath, process.execPath].filter((file) => file && fs.existsSync(file));
  return nodes.find((file) => !file.startsWith(modules + path.sep)) || process.execPath;
}

async function runNpm(node, args) {
  const quiet = args.concat('--no-audit', '--no-fund', '--prefer-offline');
  const cli = process.env.npm_execpath || '';
  const isNpm = /^npm(-cli)?\.c?js$/.test(path.basename(cli)) && fs.existsSync(cli);
  const end = isNpm ? await run(node, [cli].concat(quiet)) : await run('npm', quiet);
  if (end.error) throw new Failure(`npm cannot be started (${end.error.message}). Install Node.js with npm.`);
  if (end.code === 0) return;
  throw new Failure(`npm ${args[0]} failed.${adviceOn(end.output)}\n${end.output.trim()}`, end.code);
}

function adviceOn(output) {
  const isOffline = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|ETIMEDOUT|ENOTCACHED/.test(output);
  return isOffline ? ' The package registry cannot be reached: this machine must be online for the first start.' : '';
}

let npm;

function run(file, args) {
  // The prefix of npm may be relative to the folder where npm was started.
  const env = Object.assign({}, process.env);
  delete env.npm_config_prefix;
  delete env.npm_config_local_prefix;
  return new Promise((resolve) => {
    let output = '';
    const collect = (chunk) => {
      output = (output + chunk).slice(-4000);
    };
    npm = spawn(file, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    npm.stdout.on('data', collect);
    npm.stderr.on('data', collect);
    npm.on('error', (error) => resolve({ error, output }));
    npm.on('close', (code) => {
      npm = undefined;
      resolve({ code: code === null ? 1 : code, output });
    });
  });
}

let interruptedBy;

/** While npm is at work it must end first, so that whoever takes the next turn works alone. */
function endOn(signal, exitCode) {
  process.on(signal, () => {
    if (npm === undefined) process.exit(exitCode);
    interruptedBy = exitCode;
    npm.kill(signal);
  });
}

endOn('SIGHUP', 129);
endOn('SIGINT', 130);
endOn('SIGTERM', 143);
process.on('exit', () => endTurn(turn));

main()
  .catch((error) => {
    if (interruptedBy === undefined) console.error(error instanceof Failure ? error.message : error);
    process.exitCode = interruptedBy || error.exitCode || 1;
  })
  .then(() => endTurn(turn));
