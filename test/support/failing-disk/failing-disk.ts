import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What goes wrong, and whether it stays so. */
export interface DiskFault {
  /** Which of the calls that change something fails first, from 1 on; 0: none, they are only counted. */
  readonly at: number;
  readonly error: 'EIO' | 'ENOSPC' | 'EACCES' | 'EROFS' | 'EMFILE';
  /** Every later call fails too, as on a full or broken disk. */
  readonly lasting: boolean;
}

/** A disk that fails on request, for real processes: see failing-disk.c. Needs Linux and a C compiler. */
export class FailingDisk {
  private readonly folder = mkdtempSync(join(tmpdir(), 'failing-disk-'));
  private readonly library = join(this.folder, 'failing-disk.so');
  private readonly log = join(this.folder, 'calls');

  constructor() {
    const source = fileURLToPath(new URL('failing-disk.c', import.meta.url));
    execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', this.library, source, '-ldl']);
  }

  /** The environment of a process whose disk fails below `root`. */
  env(root: string, { at, error, lasting }: DiskFault): NodeJS.ProcessEnv {
    rmSync(this.log, { force: true });
    return {
      LD_PRELOAD: this.library,
      FAULT_ROOT: `${root}/`,
      FAULT_LOG: this.log,
      FAULT_AT: String(at),
      FAULT_ERRNO: String(constants.errno[error]),
      ...(lasting ? { FAULT_LASTING: '1' } : {}),
    };
  }

  /** The calls of the last process, in order. One that failed begins with an exclamation mark. */
  calls(): readonly string[] {
    return existsSync(this.log) ? readFileSync(this.log, 'utf8').trimEnd().split('\n') : [];
  }

  dispose(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
