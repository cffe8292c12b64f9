// Lists the packages of package-lock.json that a folder lacks on this machine. Runs on Node.js 12.

'use strict';

const fs = require('fs');
const path = require('path');

function readPackages(root) {
  return JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages;
}

/** @param {{ dev: boolean, optional: boolean }} want which packages count beside those that the service must have */
function listMissing(root, want) {
  const packages = readPackages(root);
  return Object.keys(packages).filter((place) => {
    const entry = packages[place];
    if (!place.includes('node_modules/') || !suitsMachine(entry)) return false;
    if ((entry.dev && !want.dev) || (entry.optional && !want.optional)) return false;
    return !isPresent(path.join(root, place), entry);
  });
}

/** The packages that are a Node.js of their own, each with its platform and its program. */
function listRuntimes(root) {
  const packages = readPackages(root);
  const places = Object.keys(packages).filter((place) => packages[place].bin && packages[place].bin.node);
  return places.map((place) => ({
    platform: `${packages[place].os}-${packages[place].cpu}`,
    program: path.join(root, place, packages[place].bin.node),
    suits: suitsMachine(packages[place]),
  }));
}

function isPresent(folder, entry) {
  if (entry.link) return fs.existsSync(folder);
  try {
    return JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')).version === entry.version;
  } catch {
    return false;
  }
}

function suitsMachine(entry) {
  return admits(entry.os, process.platform) && admits(entry.cpu, process.arch) && admits(entry.libc, libc());
}

function admits(list, value) {
  const names = [].concat(list || []);
  if (names.includes(`!${value}`)) return false;
  const wanted = names.filter((name) => name[0] !== '!');
  return wanted.length === 0 || wanted.includes(value);
}

let knownLibc;

function libc() {
  if (knownLibc === undefined) knownLibc = process.platform === 'linux' ? findLibc() : 'none';
  return knownLibc;
}

function findLibc() {
  if (!process.report) return 'glibc';
  process.report.excludeNetwork = true;
  const report = process.report.getReport();
  const { header } = typeof report === 'string' ? JSON.parse(report) : report;
  return header.glibcVersionRuntime ? 'glibc' : 'musl';
}

module.exports = { libc, listMissing, listRuntimes };
