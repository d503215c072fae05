import { cliHere } from '../cli-here.js';
import type { DiskCommand } from './failing-disk.js';

// The commands of FailingDisk, one after the other. It ends when nobody asks any more.
process.on('message', async ({ args, options }: DiskCommand) => process.send?.(await cliHere(args, options)));
process.on('disconnect', () => process.exit());
await cliHere(['--version']);
process.send?.('ready');
