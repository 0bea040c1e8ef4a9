import { fairSemaphore } from '../../async/fair-semaphore.ts';
import { processWide } from '../../async/process-wide.ts';

/** The calls of this process that wait for a slot: of their application, or of their service. */
export const waitingCalls = (): number =>
  ['application-slots', 'admission-slots'].reduce(
    (sum, name) => sum + processWide(name, fairSemaphore).waiting(),
    0,
  );
