import { onTestFinished } from 'vitest';
import { type FileContents, TemporaryWorkspace } from './workspace.js';

/** A temporary workspace that is removed when the running test ends. */
export function testWorkspace(files: FileContents = {}): TemporaryWorkspace {
  const workspace = new TemporaryWorkspace(files);
  onTestFinished(() => workspace.dispose());
  return workspace;
}
