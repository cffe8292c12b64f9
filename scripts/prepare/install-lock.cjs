// Locks a folder for one process at a time, and takes over the lock of a process that has died. Runs on Node.js 12.

'use strict';

const fs = require('fs');

const beatMs = 1000;
const staleMs = 15000;
let beat;

/** An empty folder, because git does not show one that a crash leaves behind. False where this user may not make it. */
async function takeTurn(turn) {
  for (;;) {
    try {
      fs.mkdirSync(turn);
      beat = setInterval(() => fs.utimes(turn, new Date(), new Date(), () => undefined), beatMs);
      return true;
    } catch (error) {
      if (error.code !== 'EEXIST') return false;
    }
    if (!(await removeStaleTurn(turn))) await sleep(200);
  }
}

function sleep(durationMs) {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}

/** Looks twice, for a machine that slept: then a turn looks old until its holder has had time for a beat. */
async function removeStaleTurn(turn) {
  const before = findTurn(turn);
  if (!before || Date.now() - before.mtimeMs < staleMs) return false;
  await sleep(2 * beatMs);
  const after = findTurn(turn);
  if (!after || after.ino !== before.ino || after.mtimeMs !== before.mtimeMs) return false;
  try {
    fs.rmdirSync(turn);
  } catch {
    return false;
  }
  return true;
}

function findTurn(turn) {
  try {
    return fs.statSync(turn);
  } catch {
    return undefined;
  }
}

function endTurn(turn) {
  if (beat === undefined) return;
  clearInterval(beat);
  beat = undefined;
  try {
    fs.rmdirSync(turn);
  } catch {
    // Another process considered the lock stale and removed it.
  }
}

module.exports = { endTurn, takeTurn };
