#!/usr/bin/env node
// Starts the program as it was built.

import '../dist/holdfast-mcp.js';
