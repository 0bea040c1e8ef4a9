import { processWide } from './process-wide.ts';

type Work = () => Promise<void>;

const works = processWide('on-stop', () => new Set<Work>());

/**
 * Has something done before the process of the functions ends in order. The local engine does it; a function of a
 * deployment is frozen and ended without notice.
 * @example onStop(writeCounts);
 */
export const onStop = (work: Work): void => void works.add(work);
