// Loaded into a child by NODE_OPTIONS=--import: notes every module that it loads.
import { register } from 'node:module';

register('./hooks.mjs', import.meta.url);
