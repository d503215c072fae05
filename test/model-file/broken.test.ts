import { expect, test } from 'vitest';
import { cases } from '../support/cases.js';
import { brokenFiles, meet } from '../support/model-file/broken.js';
import { EngineDouble } from '../support/model-file/engine-double.js';
import { Random } from '../support/random.js';
import { testWorkspace } from '../support/test-workspace.js';

test.each(brokenFiles(cases(60, 34), new Random(37)))(
  '$name is reported as what it is, and words answer',
  async (broken) => {
    const workspace = testWorkspace({ 'memory/2026-03-12.md': '## Retain\n- W @Anna: resides near the river\n' });
    new EngineDouble(workspace);
    expect(await meet(workspace, broken)).toBe('');
  },
);
