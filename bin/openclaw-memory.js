#!/usr/bin/env node
import { main } from '../dist/main.js';

await main({ bin: 'openclaw-memory', argv: process.argv.slice(2) });
