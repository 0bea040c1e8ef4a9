import { processWide } from './process-wide.ts';

type Work = () => Promise<void>;

const works = processWide('on-stop', () => new Set<Work>());

/**
 * Has something done before the process of the functions ends in order. The local engine and the host do it; a function
 * of a deployment on AWS is frozen and ended without notice.
 * @example onStop(writeCounts);
 */
export const onStop = (work: Work): void => void works.add(work);

/** Does all of it, for a process that ends. What fails is left. */
export const runStopWork = async (): Promise<void> =>
  void (await Promise.allSettled([...works].map((work) => work())));
