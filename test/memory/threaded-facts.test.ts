import { expect, test } from 'vitest';
import { readStatement } from '../../src/memory/statement/statement.js';
import { type StatedFact, standingAgainst, standingsOn } from '../../src/memory/threads/standing.js';
import type { PairVerdict } from '../../src/memory/threads/verdicts.js';
import { addDays } from '../../src/language/time/calendar.js';
import { Random } from '../bench/random.js';
