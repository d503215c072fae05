import fc from 'fast-check';
import { cases } from './cases.js';

// The same cases in every run, so that a run of CI says something of the change and not of the dice. Others are drawn
// with `PROPERTY_SEED=N npm test`.
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1), numRuns: cases(100, 25) });
