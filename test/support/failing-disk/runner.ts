import { cliHere } from '../cli-here.js';
import type { DiskCommand } from './failing-disk.js';

// Runs the commands of FailingDisk one after the other. Exits when its parent does.
process.on('message', async ({ args, options }: DiskCommand) => process.send?.(await cliHere(args, options)));
process.on('disconnect', () => process.exit());
await cliHere(['--version']);
process.send?.('ready');
