import { randomUUID } from 'node:crypto';

/** A stage of a test's own. Against stores that run elsewhere its name begins with that of the run, which removes it. */
export const newStage = (): string => {
  // The stage may be an earlier one of the same file.
  const [run = 'test'] = process.env.STAGE?.match(/^stores-[^-]+/) ?? [];
  return `${run}-${randomUUID().slice(0, 8)}`;
};
