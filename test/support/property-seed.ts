import fc from 'fast-check';
import { cases } from './cases.js';

// Every run uses the same cases, so that its result depends on the change and not on chance. `PROPERTY_SEED=N npm test`
// draws others.
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1), numRuns: cases(100, 25) });
