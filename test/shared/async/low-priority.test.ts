import * as os from 'node:os';
import { expect, test, vi } from 'vitest';
import { takeLowPriority } from '../../../shared/async/low-priority.ts';

vi.mock('node:os', async (original) => ({
  ...(await original<typeof os>()),
  setPriority: vi.fn(() => {
    throw Object.assign(new Error('operation not permitted'), { code: 'ERR_SYSTEM_ERROR' });
  }),
}));

test.runIf(process.platform === 'linux')(
  'a thread that may not lower its priority works all the same',
  () => {
    expect(takeLowPriority).not.toThrow();
    expect(os.setPriority).toHaveBeenCalledWith(os.constants.priority.PRIORITY_BELOW_NORMAL);
  },
);
