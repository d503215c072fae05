import { expect, test } from 'vitest';
import { testWorkspace } from '../support/test-workspace.js';

const LOG = `# 2026-03-01

- Decide what to automate first
- Before deciding on automation, ask what it costs
- Mail of customers goes to Anna
- Automation of mail from customers: agreed on letters at nine, and on none at night
- Decide whether customers are called
`;

test('a question for a decision finds one that was made before one that is pending', async () => {
  const workspace = testWorkspace({ 'memory/2026-03-01.md': LOG });
  for (const query of ['what did we decide about customer automation?', 'what have we decided for automation?'])
    expect((await workspace.recall(query)).results[0]?.content).toMatch(/^Automation of mail/);
});
