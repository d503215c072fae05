#!/usr/bin/env node
import { main } from '../dist/main.js';

await main({ bin: 'openclaw', argv: process.argv.slice(2) });
