#!/usr/bin/env node
// Starts the program as it was built.

import '../dist/main.js';
