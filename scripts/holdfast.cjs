#!/usr/bin/env node
// The command `holdfast`: runs src/admin.ts with the Node.js that was installed with the service, whichever one runs this file. Plain
// CommonJS without packages, so that it runs on any Node.js from version 12.

'use strict';

const { spawnSync } = require('child_process');
const fs = require('fs');
const path = require('path');

const root = path.dirname(__dirname);
const installed = path.join(root, 'node_modules', '.bin', 'node');
const runtime = fs.existsSync(installed) ? installed : process.execPath;
const args = [path.join(root, 'src', 'admin.ts'), ...process.argv.slice(2)];
const { status, error } = spawnSync(runtime, args, { stdio: 'inherit' });
if (error) process.stderr.write(`${runtime} cannot be started: ${error.message}\n`);
process.exit(status === null ? 1 : status);
